(** * A view is a staircase

    A view can be read by linear position: unravel the position [n] into the digits of the
    shape, and evaluate the view there. This file describes the result as a function of
    [n] alone.

    Write c_j for the product of the sizes after axis j, so that the last one is
    1. The digit of axis j is floor(n / c_j), taken modulo the size of the axis,
    and these floors telescope. What remains is

<<
      at_position v n  =  o  +  sigma_k * n  +  sum over j < k of  delta_j * floor(n / c_j)

      delta_j  =  sigma_j  -  s_(j+1) * sigma_(j+1)
>>

    A ramp of slope sigma_k, the last stride, with a jump of delta_j at every
    multiple of c_j. A pair (c_j, delta_j) is called a _level_.

    The example to keep in mind is the view (10,3,3):(8,1,2). Here c_1 = 9,
    c_2 = 3, delta_1 = 8 - 3*1 = 5, delta_2 = 1 - 3*2 = -5, and so

<<
      at_position v n  =  2n + 5 floor(n/9) - 5 floor(n/3).
>>

    The file proves
    - [closed_form]: the formula above, for every view with at least one axis;
    - [slab]: a mask on an axis, read by linear position, is an interval of
      remainders;
    - [unit_axes_drop]: axes of size 1 can be left out;
    - [fuse_sound], [fuse_necessary]: two neighbouring axes are one axis exactly if the
      jump of the level between them is 0. *)

From Coq Require Import ZArith List Lia.
From Viewmerge Require Import Views Lists.
Import ListNotations.
Open Scope Z_scope.

(** ** Digits *)

(** No empty axis. *)
Definition positive (s : list Z) : Prop := Forall (fun x => 0 < x) s.

Lemma count_positive : forall s, positive s -> 1 <= count s.
Proof. intros s Hs. pose proof (count_pos s Hs). lia. Qed.

(** The outermost digit of a remainder: the floors telescope. *)
Lemma digit_telescopes :
  forall n x c, 1 <= x -> 1 <= c -> (n mod (x * c)) / c = n / c - x * (n / (x * c)).
Proof.
  intros n x c Hx Hc.
  rewrite Z.mod_eq by nia.
  replace (n - x * c * (n / (x * c))) with (n + (- (x * (n / (x * c)))) * c) by ring.
  rewrite Z.div_add by lia. lia.
Qed.

(** A remainder at a finer modulus forgets the coarser one. *)
Lemma mod_of_mod : forall n x c, 1 <= x -> 1 <= c -> (n mod (x * c)) mod c = n mod c.
Proof.
  intros n x c Hx Hc.
  rewrite (Z.mod_eq n (x * c)) by nia.
  replace (n - x * c * (n / (x * c))) with (n + (- (x * (n / (x * c)))) * c) by ring.
  apply Z.mod_add. lia.
Qed.

(** The digits of position 0 are zeros. *)
Lemma dot_unravel_zero : forall s t, dot t (unravel s 0) = 0.
Proof.
  induction s as [| x s IH]; intros [| y t]; try reflexivity.
  cbn [unravel dot]. rewrite Zdiv_0_l, Zmod_0_l, IH. lia.
Qed.

(** ** The closed form *)

(** The levels (c_j, delta_j), from the outermost in; none for fewer than two axes. *)
Fixpoint levels (s t : list Z) : list (Z * Z) :=
  match s, t with
  | _ :: s', x :: t' =>
      match s', t' with
      | y :: _, z :: _ => (count s', x - y * z) :: levels s' t'
      | _, _ => []
      end
  | _, _ => []
  end.

(** The jumps made on the way from 0 to [n]: the sum of delta * floor(n / m). *)
Fixpoint jumps (ls : list (Z * Z)) (n : Z) : Z :=
  match ls with
  | [] => 0
  | (m, d) :: ls' => d * (n / m) + jumps ls' n
  end.

(** A ramp with jumps. *)
Definition staircase (base slope : Z) (ls : list (Z * Z)) (n : Z) : Z :=
  base + slope * n + jumps ls n.

(** The last stride. *)
Definition last_stride (v : view) : Z := last (strides v) 0.

Definition view_levels (v : view) : list (Z * Z) := levels (shape v) (strides v).

Definition view_staircase (v : view) : Z -> Z :=
  staircase (offset v) (last_stride v) (view_levels v).

(** Reading a remainder instead of the position itself changes only the
    outermost digit. *)
Lemma dot_unravel_mod :
  forall x s y t n,
    positive (x :: s) ->
    dot (y :: t) (unravel (x :: s) (n mod count (x :: s)))
    = dot (y :: t) (unravel (x :: s) n) - x * y * (n / count (x :: s)).
Proof.
  intros x s y t n Hp. inversion Hp as [| ? ? Hx Hs]; subst.
  pose proof (count_positive s Hs) as Hc.
  rewrite count_cons. cbn [unravel dot].
  rewrite digit_telescopes, mod_of_mod by lia. ring.
Qed.

(** The closed form of the digits. The outermost digit is not reduced, so that
    this holds for every [n], in the range of the shape or not. *)
Lemma closed_form_digits :
  forall s t n,
    s <> [] -> length t = length s -> positive (tl s) ->
    dot t (unravel s n) = last t 0 * n + jumps (levels s t) n.
Proof.
  induction s as [| w s IH]; intros t n Hne Hlen Hp; [congruence |].
  destruct t as [| x t]; [discriminate |].
  cbn [tl] in Hp. injection Hlen as Hlen.
  destruct s as [| y s].
  - destruct t; [| discriminate]. cbn. rewrite Z.div_1_r. lia.
  - destruct t as [| z t]; [discriminate |].
    assert (Htl : positive s) by (inversion Hp; assumption).
    change (last (x :: z :: t) 0) with (last (z :: t) 0).
    change (levels (w :: y :: s) (x :: z :: t))
      with ((count (y :: s), x - y * z) :: levels (y :: s) (z :: t)).
    change (dot (x :: z :: t) (unravel (w :: y :: s) n))
      with (x * (n / count (y :: s))
            + dot (z :: t) (unravel (y :: s) (n mod count (y :: s)))).
    rewrite dot_unravel_mod by assumption.
    rewrite IH by (assumption || discriminate).
    cbn [jumps]. ring.
Qed.

(** ** Theorem: a view, read by linear position, is a staircase. *)
Theorem closed_form :
  forall v n,
    well_formed v -> shape v <> [] -> 0 <= n < count (shape v) ->
    at_position v n
    = offset v + last_stride v * n + jumps (view_levels v) n.
Proof.
  intros v n (Hnn & Hlen & _) Hne Hn.
  unfold at_position, index, last_stride, view_levels.
  rewrite closed_form_digits; try assumption; [lia |].
  assert (Hp : positive (shape v)) by (apply count_pos_sizes; [assumption | lia]).
  destruct (shape v); [congruence | now inversion Hp].
Qed.

(** The moduli of the levels of a shape without empty axes are at least 1. *)
Lemma levels_moduli :
  forall s t, positive s -> Forall (fun l => 1 <= fst l) (levels s t).
Proof.
  induction s as [| w s IH]; intros t Hp; [constructor |].
  inversion Hp as [| ? ? Hw Hs]; subst.
  destruct t as [| x t]; [constructor |].
  destruct s as [| y s]; [constructor |].
  destruct t as [| z t]; [constructor |].
  change (levels (w :: y :: s) (x :: z :: t))
    with ((count (y :: s), x - y * z) :: levels (y :: s) (z :: t)).
  constructor.
  - apply count_positive. assumption.
  - apply IH. assumption.
Qed.

(** The running example: (10,3,3):(8,1,2) is 2n + 5 floor(n/9) - 5 floor(n/3). *)
Example staircase_example :
  let v := View [10; 3; 3] [8; 1; 2] 0 All in
  last_stride v = 2 /\ view_levels v = [(9, 5); (3, -5)].
Proof. split; reflexivity. Qed.

(** ** Masks as slabs *)

(** Digit [j] is the remainder by c_(j-1), divided by c_j. *)
Lemma nth_unravel :
  forall s j n,
    positive s -> 0 <= n < count s -> (j < length s)%nat ->
    nth j (unravel s n) 0 = (n mod count (skipn j s)) / count (skipn (S j) s).
Proof.
  induction s as [| x s IH]; intros j n Hp Hn Hj; [cbn in Hj; lia |].
  inversion Hp as [| ? ? Hx Hs]; subst.
  pose proof (count_positive s Hs) as Hc.
  destruct j as [| j].
  - cbn [unravel nth skipn]. rewrite (Z.mod_small n) by assumption. reflexivity.
  - cbn [length] in Hj.
    change (skipn (S j) (x :: s)) with (skipn j s).
    change (skipn (S (S j)) (x :: s)) with (skipn (S j) s).
    cbn [unravel nth].
    rewrite IH; [| assumption | apply Z.mod_pos_bound; lia | lia].
    f_equal.
    rewrite <- (firstn_skipn j s) at 1. rewrite count_app.
    rewrite <- (firstn_skipn j s) in Hs. apply Forall_app in Hs. destruct Hs as [Hf Hk].
    apply mod_of_mod; apply count_positive; assumption.
Qed.

(** A quotient lies in an interval when the number lies in the scaled interval. *)
Lemma quotient_between :
  forall n c lo hi, 1 <= c -> (lo <= n / c < hi <-> lo * c <= n < hi * c).
Proof.
  intros n c lo hi Hc.
  pose proof (Z.div_mod n c ltac:(lia)) as He.
  pose proof (Z.mod_pos_bound n c ltac:(lia)) as Hm.
  split; intros [Hl Hh]; split; nia.
Qed.

Lemma positive_skipn : forall s j, positive s -> positive (skipn j s).
Proof.
  intros s j Hp. rewrite <- (firstn_skipn j s) in Hp.
  apply Forall_app in Hp. apply Hp.
Qed.

(** ** Theorem: an interval of one digit is a slab of positions.

    [count (skipn j s)] is c_(j-1) and [count (skipn (S j) s)] is c_j. *)
Theorem slab :
  forall s j n lo hi,
    positive s -> 0 <= n < count s -> (j < length s)%nat ->
    (lo <= nth j (unravel s n) 0 < hi
     <-> lo * count (skipn (S j) s) <= n mod count (skipn j s) < hi * count (skipn (S j) s)).
Proof.
  intros s j n lo hi Hp Hn Hj.
  rewrite nth_unravel by assumption.
  apply quotient_between, count_positive, positive_skipn, Hp.
Qed.

(** On the outermost axis it is the position itself that is bounded. *)
Corollary slab_outermost :
  forall x s n lo hi,
    positive s ->
    (lo <= nth 0 (unravel (x :: s) n) 0 < hi <-> lo * count s <= n < hi * count s).
Proof.
  intros x s n lo hi Hs. cbn [unravel nth].
  apply quotient_between, count_positive, Hs.
Qed.

(** A whole box mask is an intersection of slabs, one for each axis. *)
Corollary box_is_slabs :
  forall s b n,
    positive s -> 0 <= n < count s -> length b = length s ->
    (in_box b (unravel s n)
     <-> forall j, (j < length s)%nat ->
           fst (nth j b (0, 0)) * count (skipn (S j) s)
           <= n mod count (skipn j s)
           < snd (nth j b (0, 0)) * count (skipn (S j) s)).
Proof.
  intros s b n Hp Hn Hlen.
  rewrite in_box_nth, unravel_length, Hlen. split.
  - intros [_ H] j Hj. apply slab; try assumption. exact (H j Hj).
  - intro H. split; [reflexivity |]. intros j Hj.
    apply slab; try assumption. exact (H j Hj).
Qed.

(** ** Unit axes *)

(** The sizes and strides of the axes whose size is not 1. *)
Fixpoint drop_units (s t : list Z) : list (Z * Z) :=
  match s, t with
  | x :: s', y :: t' => if x =? 1 then drop_units s' t' else (x, y) :: drop_units s' t'
  | _, _ => []
  end.

(** The view without its unit axes. Its mask is ignored. *)
Definition without_units (v : view) : view :=
  let axes := drop_units (shape v) (strides v) in
  View (map fst axes) (map snd axes) (offset v) All.

Lemma drop_units_count :
  forall s t, length t = length s -> count (map fst (drop_units s t)) = count s.
Proof.
  induction s as [| x s IH]; intros [| y t] Hlen; try discriminate; [reflexivity |].
  injection Hlen as Hlen. cbn [drop_units].
  destruct (Z.eqb_spec x 1) as [-> | Hx].
  - rewrite IH, count_cons by assumption. lia.
  - cbn [map fst]. rewrite !count_cons, IH by assumption. reflexivity.
Qed.

Lemma drop_units_digits :
  forall s t n,
    length t = length s -> positive s -> 0 <= n < count s ->
    dot (map snd (drop_units s t)) (unravel (map fst (drop_units s t)) n)
    = dot t (unravel s n).
Proof.
  induction s as [| x s IH]; intros [| y t] n Hlen Hp Hn; try discriminate; [reflexivity |].
  injection Hlen as Hlen. inversion Hp as [| ? ? Hx Hs]; subst.
  pose proof (count_positive s Hs) as Hc. rewrite count_cons in Hn.
  cbn [drop_units unravel dot].
  destruct (Z.eqb_spec x 1) as [-> | Hx1].
  - rewrite Z.div_small, Z.mod_small by lia. rewrite IH by (assumption || lia). lia.
  - cbn [map fst snd unravel dot]. rewrite drop_units_count by assumption.
    rewrite IH; [reflexivity | assumption | assumption |].
    apply Z.mod_pos_bound. lia.
Qed.

(** ** Theorem: leaving out the axes of size 1 keeps what is read at each position. *)
Theorem unit_axes_drop :
  forall v n,
    well_formed v -> 0 <= n < count (shape v) ->
    at_position (without_units v) n = at_position v n.
Proof.
  intros v n (Hnn & Hlen & _) Hn. unfold at_position, index, without_units.
  cbn [shape strides offset].
  rewrite drop_units_digits; try assumption; [reflexivity |].
  apply count_pos_sizes; [assumption | lia].
Qed.

(** ** Fusing two neighbouring axes *)

(** The axes after a prefix may be replaced by others with as many elements that read the
    same. *)
Lemma same_after_prefix :
  forall p tp s t s' t',
    length tp = length p -> positive p -> count s = count s' -> 1 <= count s ->
    (forall n, 0 <= n < count s -> dot t (unravel s n) = dot t' (unravel s' n)) ->
    forall n, 0 <= n < count (p ++ s) ->
      dot (tp ++ t) (unravel (p ++ s) n) = dot (tp ++ t') (unravel (p ++ s') n).
Proof.
  induction p as [| x p IH]; intros tp s t s' t' Hlen Hp Hc Hpos Hsame n Hn;
    destruct tp as [| y tp]; try discriminate.
  - now apply Hsame.
  - injection Hlen as Hlen. inversion Hp as [| ? ? Hx Hpp]; subst.
    pose proof (count_positive p Hpp) as Hcp.
    cbn [app unravel dot]. rewrite !count_app, <- Hc. f_equal.
    apply IH; try assumption.
    rewrite count_app. apply Z.mod_pos_bound. nia.
Qed.

(** Two axes that are contiguous to each other read as one axis. *)
Lemma fuse_digits :
  forall x y z s t n,
    1 <= y -> 1 <= count s ->
    dot (y * z :: z :: t) (unravel (x :: y :: s) n) = dot (z :: t) (unravel (x * y :: s) n).
Proof.
  intros x y z s t n Hy Hc. cbn [unravel dot].
  rewrite count_cons, digit_telescopes, mod_of_mod by lia. ring.
Qed.

(** ** Theorem: a zero level can be fused away, anywhere in the shape.

    If the stride of an axis is the size of the next one times the stride of the
    next one, the two axes are one. The axes before and after are any. *)
Theorem fuse_sound :
  forall before after x y z tb ta o m m' n,
    length tb = length before -> length ta = length after ->
    Forall (fun k => 0 <= k) (before ++ [x; y] ++ after) ->
    0 <= n < count (before ++ [x; y] ++ after) ->
    at_position (View (before ++ [x; y] ++ after) (tb ++ [y * z; z] ++ ta) o m) n
    = at_position (View (before ++ [x * y] ++ after) (tb ++ [z] ++ ta) o m') n.
Proof.
  intros before after x y z tb ta o m m' n Hb Ha Hnn Hn.
  assert (Hp : positive (before ++ [x; y] ++ after))
    by (apply count_pos_sizes; [assumption | lia]).
  apply Forall_app in Hp. destruct Hp as [Hpb Hp].
  inversion Hp as [| ? ? Hx Hp']; subst. inversion Hp' as [| ? ? Hy Hpa]; subst.
  pose proof (count_positive after Hpa) as Hca.
  unfold at_position, index. cbn [shape strides offset]. f_equal.
  apply same_after_prefix; try assumption; cbn [app].
  - rewrite !count_cons. ring.
  - apply (count_positive _ Hp).
  - intros k _. apply fuse_digits; lia.
Qed.

(** What is read at a position inside the innermost axes: the digits before are zeros. *)
Lemma inner_position :
  forall p tp s t n,
    length tp = length p -> positive p -> 0 <= n < count s ->
    dot (tp ++ t) (unravel (p ++ s) n) = dot t (unravel s n).
Proof.
  induction p as [| x p IH]; intros tp s t n Hlen Hp Hn;
    destruct tp as [| y tp]; try discriminate; [reflexivity |].
  injection Hlen as Hlen. inversion Hp as [| ? ? Hx Hpp]; subst.
  pose proof (count_positive p Hpp) as Hcp.
  assert (Hs : 0 <= n < count (p ++ s)) by (rewrite count_app; nia).
  cbn [app unravel dot]. rewrite Z.div_small, Z.mod_small by assumption.
  rewrite IH by assumption. lia.
Qed.

(** What is read at a multiple of the count of the inner axes: their digits are zeros. *)
Lemma outer_digit :
  forall x s y t q, 1 <= count s -> dot (y :: t) (unravel (x :: s) (q * count s)) = y * q.
Proof.
  intros x s y t q Hc. cbn [unravel dot].
  rewrite Z.div_mul, Z.mod_mul, dot_unravel_zero by lia. lia.
Qed.

(** ** Theorem: only a zero level can be fused away.

    Suppose that some view with one axis of size x * y in place of the two reads
    the same at every position, whatever its other strides. If both sizes are
    at least 2, the two axes are contiguous to each other. *)
Theorem fuse_necessary :
  forall before after x y sx sy tb ta o m w,
    length tb = length before -> length ta = length after ->
    positive before -> positive after -> 2 <= x -> 2 <= y ->
    well_formed w -> shape w = before ++ [x * y] ++ after ->
    (forall n, 0 <= n < count (shape w) ->
       at_position (View (before ++ [x; y] ++ after) (tb ++ [sx; sy] ++ ta) o m) n
       = at_position w n) ->
    sx = y * sy.
Proof.
  intros before after x y sx sy tb ta o m [sw tw ow mw] Hb Ha Hpb Hpa Hx Hy
    (_ & Hlw & _) Hsw Hsame.
  cbn [shape strides] in *. subst sw.
  pose proof (count_positive after Hpa) as Hc.
  pose proof (count_positive before Hpb) as Hcb.
  (* the strides of w: those of [before], the fused one, those of [after] *)
  rewrite !app_length in Hlw. cbn [length] in Hlw.
  rewrite <- (firstn_skipn (length before) tw) in Hsame.
  assert (Hl1 : length (firstn (length before) tw) = length before)
    by (rewrite firstn_length; lia).
  assert (Hl2 : length (skipn (length before) tw) = S (length after))
    by (rewrite skipn_length; lia).
  destruct (skipn (length before) tw) as [| z tz]; [discriminate |].
  remember (firstn (length before) tw) as tf eqn:Etf. clear Etf Hl2 Hlw.
  (* reading at q * count after, for 0 <= q < x * y *)
  assert (Hat : forall q, 0 <= q < x * y ->
    o + (sx * (q / y) + sy * (q mod y)) = ow + z * q).
  { intros q Hq.
    assert (Hr : 0 <= q * count after < x * y * count after) by nia.
    specialize (Hsame (q * count after)).
    rewrite !count_app in Hsame. cbn [app] in Hsame. rewrite !count_cons in Hsame.
    specialize (Hsame ltac:(change (count []) with 1; nia)).
    unfold at_position, index in Hsame. cbn [shape strides offset] in Hsame.
    rewrite !inner_position in Hsame
      by (assumption || (rewrite ?count_cons; lia)).
    rewrite outer_digit in Hsame by lia.
    cbn [unravel dot] in Hsame. rewrite count_cons in Hsame.
    rewrite Z.div_mul_cancel_r, Z.mul_mod_distr_r in Hsame by lia.
    rewrite Z.div_mul, Z.mod_mul, dot_unravel_zero in Hsame by lia.
    lia. }
  pose proof (Hat 0 ltac:(nia)) as H0.
  pose proof (Hat 1 ltac:(nia)) as H1.
  pose proof (Hat y ltac:(nia)) as H2.
  rewrite Z.div_0_l, Z.mod_0_l in H0 by lia.
  rewrite Z.div_small, Z.mod_small in H1 by lia.
  rewrite Z.div_same, Z.mod_same in H2 by lia.
  nia.
Qed.
