(** * Merging two views, level by level

    Seen through an affine position n(i) = a + sum of t_l * i_l, a staircase is

<<
      f(i)  =  base  +  slope * n(i)  +  sum over j of  delta_j * floor(n(i) / m_j)
>>

    and two views without masks are always such an [f] ([two_views_levels]): the
    staircase is the view next to memory, the position comes from the view above
    it. The two are one view exactly if [f] is affine on the box of indices. This file
    shows how far single floors decide that.

    - (L) [levelwise_sound]: if every floor is affine, so is [f].
    - (R) [relation_complete]: if [f] is affine although the floors of some levels
      are not, the jumps of these levels cancel: some of them, with signs + and -, add up
      to 0. If no such relation holds among them, [f] is affine only if every floor is:
      [mergeable_iff_levelwise].
    - A single level cannot cancel: [one_broken_level]. So the test of a single floor
      decides a view of rank two: [rank_two].

    Why (R) holds: a step of [t] along an axis adds floor(t / m) to floor(n / m),
    or one more. So two steps along the same axis, taken at different places, add
    the same up to -1, 0 or 1 ([carries_close]). If [f] is affine the two steps
    add the same to [f]; the difference is a sum of delta_j times -1, 0 or 1, and
    it is zero.

    Example: (10,3,3):(8,1,2) has the levels (9, 5) and (3, -5). Through (L):(4)
    both floors are affine up to L = 3. At L = 4 and 5 neither is affine, but
    5 - 5 = 0 is a relation, and indeed f is still affine: 0, 3, 6, 9, 12. At
    L = 6 it is not, in spite of the relation: f(5) = 20. So a relation is necessary but
    not sufficient. With strides (9,1,2) the jumps are 6 and -5, no relation holds, and L
    = 3 is the last length. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Criterion Staircase Floors.
Import ListNotations.
Open Scope Z_scope.

(** A staircase seen through an affine position. *)
Definition seen_through (base slope : Z) (ls : list (Z * Z)) (a : Z) (t : list Z)
    (i : list Z) : Z :=
  staircase base slope ls (a + dot t i).

(** Every modulus is at least 1. *)
Definition moduli (ls : list (Z * Z)) : Prop := Forall (fun l => 1 <= fst l) ls.

(** Every floor is affine. *)
Definition levelwise (b : box) (ls : list (Z * Z)) (a : Z) (t : list Z) : Prop :=
  Forall (fun l => affine b (floor_at a t (fst l))) ls.

(** ** (L) Levelwise *)

(** The sum of functions with constant increments has constant increments. *)
Lemma jumps_constant_increments : forall b ls a t,
  levelwise b ls a t -> constant_increments b (fun i => jumps ls (a + dot t i)).
Proof.
  intros b ls a t H. induction H as [| [m d] ls Hl _ IH];
    intros l i j Hi Hi' Hj Hj' Hlt; cbn [jumps]; [lia |].
  specialize (IH l i j Hi Hi' Hj Hj' Hlt). cbv beta in IH.
  apply criterion in Hl. specialize (Hl l i j Hi Hi' Hj Hj' Hlt).
  unfold floor_at in Hl. cbn [fst] in Hl. nia.
Qed.

Lemma levelwise_affine : forall b base slope ls a t,
  levelwise b ls a t -> affine b (seen_through base slope ls a t).
Proof.
  intros b base slope ls a t H. apply criterion.
  intros l i j Hi Hi' Hj Hj' Hlt.
  pose proof (jumps_constant_increments b ls a t H l i j Hi Hi' Hj Hj' Hlt) as Hc.
  cbv beta in Hc. unfold seen_through, staircase.
  rewrite !dot_step in * by (erewrite in_box_length by eassumption; assumption).
  lia.
Qed.

(** What a step of [x] from the low corner adds to [f]: by the closed form it is
    slope * x + sum of delta_j * alpha_j, where alpha_j is what it adds to the
    floor of level j. *)
Definition step_adds (slope : Z) (ls : list (Z * Z)) (n x : Z) : Z :=
  slope * x + fold_right (fun l sum => snd l * carry n (fst l) x + sum) 0 ls.

Lemma step_adds_correct : forall base slope ls n x,
  staircase base slope ls (n + x) - staircase base slope ls n = step_adds slope ls n x.
Proof.
  intros base slope ls n x. unfold staircase, step_adds.
  assert (H : jumps ls (n + x) - jumps ls n
              = fold_right (fun l sum => snd l * carry n (fst l) x + sum) 0 ls).
  { induction ls as [| [m d] ls IH]; [reflexivity |].
    cbn [jumps fold_right fst snd]. rewrite <- IH. unfold carry. ring. }
  lia.
Qed.

Lemma step_adds_zero : forall slope ls n, step_adds slope ls n 0 = 0.
Proof.
  intros slope ls n. rewrite <- (step_adds_correct 0). rewrite Z.add_0_r. ring.
Qed.

(** The slopes an affine [f] has. *)
Definition slopes (slope : Z) (ls : list (Z * Z)) (b : box) (a : Z) (t : list Z) : list Z :=
  map (step_adds slope ls (corner_position b a t)) t.

Lemma affine_slopes : forall b base slope ls a t,
  length t = length b ->
  affine b (seen_through base slope ls a t) ->
  affine_on b (seen_through base slope ls a t)
    (staircase base slope ls (corner_position b a t) - dot (slopes slope ls b a t) (low b))
    (slopes slope ls b a t).
Proof.
  intros b base slope ls a t Hlen Haff.
  assert (Hsl : length (slopes slope ls b a t) = length b)
    by (unfold slopes; now rewrite map_length).
  split; [exact Hsl |]. intros i Hi.
  rewrite (strides_at_low_corner b _ (slopes slope ls b a t) Haff Hsl); [| | exact Hi].
  - unfold seen_through at 1. fold (corner_position b a t). ring.
  - intros l Hl _. unfold slopes, seen_through.
    rewrite <- (step_adds_zero slope ls (corner_position b a t)) at 1. rewrite map_nth.
    rewrite dot_step by now rewrite low_length.
    rewrite <- (step_adds_correct base). unfold corner_position. do 2 f_equal. ring.
Qed.

(** ** Theorem (L): if every floor is affine, [f] is affine, with the slopes
    slope * t_l + sum of delta_j * alpha_(j,l). *)
Theorem levelwise_sound : forall b base slope ls a t,
  length t = length b -> levelwise b ls a t ->
  affine_on b (seen_through base slope ls a t)
    (staircase base slope ls (corner_position b a t) - dot (slopes slope ls b a t) (low b))
    (slopes slope ls b a t).
Proof.
  intros b base slope ls a t Hlen H.
  apply affine_slopes; [exact Hlen |]. now apply levelwise_affine.
Qed.

(** ** Carries *)

(** A carry is floor(x / m), or one more. *)
Lemma carry_range : forall n m x, 1 <= m -> x / m <= carry n m x <= x / m + 1.
Proof.
  intros n m x Hm. unfold carry.
  pose proof (Z.div_mod n m ltac:(lia)). pose proof (Z.mod_pos_bound n m ltac:(lia)).
  pose proof (Z.div_mod x m ltac:(lia)). pose proof (Z.mod_pos_bound x m ltac:(lia)).
  assert (n / m + x / m <= (n + x) / m) by (apply Z.div_le_lower_bound; nia).
  assert ((n + x) / m < n / m + x / m + 2) by (apply Z.div_lt_upper_bound; nia).
  lia.
Qed.

(** ** Theorem: two carries of the same step differ by -1, 0 or 1. *)
Theorem carries_close : forall n n' m x,
  1 <= m -> -1 <= carry n m x - carry n' m x <= 1.
Proof.
  intros n n' m x Hm.
  pose proof (carry_range n m x Hm). pose proof (carry_range n' m x Hm). lia.
Qed.

(** ** Two steps that differ *)

(** A search of an interval. *)
Lemma search_interval : forall (P : Z -> Prop) lo hi,
  (forall x, P x \/ ~ P x) ->
  (exists x, lo <= x < hi /\ P x) \/ (forall x, lo <= x < hi -> ~ P x).
Proof.
  intros P lo hi Hdec.
  assert (H : forall k, (exists x, lo <= x < lo + Z.of_nat k /\ P x)
                        \/ (forall x, lo <= x < lo + Z.of_nat k -> ~ P x)).
  { induction k as [| k [(x & Hx & Px) | IH]].
    - right. intros x Hx. lia.
    - left. exists x. split; [lia | exact Px].
    - destruct (Hdec (lo + Z.of_nat k)) as [Hp | Hp].
      + left. exists (lo + Z.of_nat k). split; [lia | exact Hp].
      + right. intros x Hx. destruct (Z.eq_dec x (lo + Z.of_nat k)) as [-> | Hne]; [exact Hp |].
        apply IH. lia. }
  destruct (H (Z.to_nat (hi - lo))) as [(x & Hx & Px) | Hno].
  - left. exists x. split; [lia | exact Px].
  - right. intros x Hx. apply Hno. lia.
Qed.

(** Searching a box: it is finite, so a decidable property is found or it is nowhere. *)
Lemma search_box : forall b (P : list Z -> Prop),
  (forall i, P i \/ ~ P i) ->
  (exists i, in_box b i /\ P i) \/ (forall i, in_box b i -> ~ P i).
Proof.
  induction b as [| [lo hi] b IH]; intros P Hdec.
  - destruct (Hdec []) as [H | H]; [left; now exists [] |].
    right. intros i Hi. apply in_box_nil in Hi as ->. exact H.
  - destruct (search_interval (fun x => exists i, in_box b i /\ P (x :: i)) lo hi)
      as [(x & Hx & i & Hi & Hp) | Hno].
    + intro x. destruct (IH (fun i => P (x :: i)) (fun i => Hdec (x :: i))) as [H | H].
      * left. exact H.
      * right. intros (i & Hi & Hp). exact (H i Hi Hp).
    + left. exists (x :: i). split; [now split | exact Hp].
    + right. intros [| x i] Hi Hp; [contradiction |]. destruct Hi as [Hx Hi].
      apply (Hno x Hx). now exists i.
Qed.

Lemma search_axis : forall (P : nat -> Prop) k,
  (forall l, P l \/ ~ P l) ->
  (exists l, (l < k)%nat /\ P l) \/ (forall l, (l < k)%nat -> ~ P l).
Proof.
  intros P k Hdec. induction k as [| k [(l & Hl & Hp) | IH]].
  - right. intros l Hl. lia.
  - left. exists l. split; [lia | exact Hp].
  - destruct (Hdec k) as [H | H].
    + left. exists k. split; [lia | exact H].
    + right. intros l Hl. destruct (Nat.eq_dec l k) as [-> | Hne]; [exact H |].
      apply IH. lia.
Qed.

(** Two steps along one axis, one of them at the low corner, that add different
    numbers: the witness that a function is not affine. *)
Definition steps_differ (b : box) (f : list Z -> Z) : Prop :=
  exists l, (l < length b)%nat
  /\ exists i, in_box b i
       /\ in_box b (step i l) /\ in_box b (low b) /\ in_box b (step (low b) l)
       /\ f (step i l) - f i <> f (step (low b) l) - f (low b).

Lemma not_affine_steps_differ : forall b f, ~ affine b f -> steps_differ b f.
Proof.
  intros b f Hnot.
  set (P := fun l i =>
    in_box b (step i l) /\ in_box b (low b) /\ in_box b (step (low b) l)
    /\ f (step i l) - f i <> f (step (low b) l) - f (low b)).
  assert (Hdec : forall l i, P l i \/ ~ P l i).
  { intros l i. unfold P.
    destruct (in_box_dec b (step i l)); [| tauto].
    destruct (in_box_dec b (low b)); [| tauto].
    destruct (in_box_dec b (step (low b) l)); [| tauto].
    destruct (Z.eq_dec (f (step i l) - f i) (f (step (low b) l) - f (low b))); tauto. }
  destruct (search_axis (fun l => exists i, in_box b i /\ P l i) (length b)) as [H | H].
  - intro l. destruct (search_box b (P l) (Hdec l)) as [H | H]; [left; exact H |].
    right. intros (i & Hi & Hp). exact (H i Hi Hp).
  - exact H.
  - exfalso. apply Hnot, criterion.
    assert (Hlow : forall l i, in_box b i -> in_box b (step i l) -> (l < length b)%nat ->
      f (step i l) - f i = f (step (low b) l) - f (low b)).
    { intros l i Hi Hi' Hl.
      destruct (Z.eq_dec (f (step i l) - f i) (f (step (low b) l) - f (low b))) as [E | E];
        [exact E |].
      exfalso. apply (H l Hl). exists i. split; [exact Hi |].
      pose proof (box_low_in b i Hi) as Hb.
      repeat split; try assumption.
      apply in_box_step; try assumption.
      apply (in_box_step b i l Hi Hl) in Hi'.
      apply in_box_nth in Hi. destruct Hi as [_ Hi]. specialize (Hi l Hl).
      apply in_box_nth in Hb. destruct Hb as [_ Hb]. specialize (Hb l Hl).
      enough (nth l (low b) 0 = fst (nth l b (0, 0))) by lia.
      unfold low. change 0 with (fst (0, 0)) at 1. apply map_nth. }
    intros l i j Hi Hi' Hj Hj' Hl.
    now rewrite (Hlow l i), (Hlow l j).
Qed.

(** ** (R) Relations *)

(** Some numbers cancel: with coefficients -1, 0 and 1, not all of them 0, they
    add up to zero. *)
Definition relation (deltas : list Z) : Prop :=
  exists eps,
    length eps = length deltas
    /\ Forall (fun e => -1 <= e <= 1) eps
    /\ Exists (fun e => e <> 0) eps
    /\ dot eps deltas = 0.

(** The levels whose floors are not affine. *)
Definition not_affine (b : box) (a : Z) (t : list Z) (ls : list (Z * Z)) : list (Z * Z) :=
  filter (fun l => negb (floor_affineb b a t (fst l))) ls.

Lemma not_affine_spec : forall b a t ls l,
  moduli ls -> length t = length b ->
  (In l (not_affine b a t ls) <-> In l ls /\ ~ affine b (floor_at a t (fst l))).
Proof.
  intros b a t ls l Hm Hlen. unfold not_affine.
  rewrite filter_In, negb_true_iff, <- not_true_iff_false. split.
  - intros [Hl Hn]. split; [exact Hl |]. rewrite <- floor_affineb_spec; try assumption.
    unfold moduli in Hm. rewrite Forall_forall in Hm. auto.
  - intros [Hl Hn]. split; [exact Hl |]. rewrite floor_affineb_spec; try assumption.
    unfold moduli in Hm. rewrite Forall_forall in Hm. auto.
Qed.

(** All floors are affine exactly if the list of those that are not is empty. *)
Lemma levelwise_iff_none : forall b a t ls,
  moduli ls -> length t = length b ->
  (levelwise b ls a t <-> not_affine b a t ls = []).
Proof.
  intros b a t ls Hm Hlen. induction Hm as [| [m d] ls Hl Hm IH].
  - split; [reflexivity | intros _; constructor].
  - cbn [fst] in Hl. cbn [not_affine filter fst].
    pose proof (floor_affineb_spec b a t m Hl Hlen) as Hs.
    fold (not_affine b a t ls). split.
    + intro H. inversion H as [| ? ? Ha Hr]; subst. cbn [fst] in Ha.
      apply Hs in Ha. rewrite Ha. now apply IH.
    + intro H. destruct (floor_affineb b a t m); [| discriminate].
      constructor; [now apply Hs | now apply IH].
Qed.

(** By how much the carries of a level differ between two places. *)
Definition carry_gap (n n' x : Z) (l : Z * Z) : Z := carry n (fst l) x - carry n' (fst l) x.

(** A step of a staircase at two places differs by the gaps times the jumps. *)
Lemma jumps_gap : forall ls n n' x,
  (jumps ls (n + x) - jumps ls n) - (jumps ls (n' + x) - jumps ls n')
  = dot (map (carry_gap n n' x) ls) (map snd ls).
Proof.
  induction ls as [| [m d] ls IH]; intros n n' x; [reflexivity |].
  cbn [jumps map dot fst snd]. rewrite <- IH. unfold carry_gap, carry. cbn [fst]. ring.
Qed.

(** Levels without a gap can be left out of the sum. *)
Lemma dot_filter : forall (g : Z * Z -> Z) keep ls,
  (forall l, In l ls -> keep l = false -> g l = 0) ->
  dot (map g ls) (map snd ls) = dot (map g (filter keep ls)) (map snd (filter keep ls)).
Proof.
  intros g keep. induction ls as [| l ls IH]; intro H; [reflexivity |].
  cbn [filter map dot]. rewrite IH by (intros; apply H; [right |]; assumption).
  destruct (keep l) eqn:E; [reflexivity |].
  rewrite (H l (or_introl eq_refl) E). ring.
Qed.

(** An affine floor has no gap between two steps along one axis. *)
Lemma affine_no_gap : forall b a t m l i j,
  affine b (floor_at a t m) -> (l < length b)%nat ->
  in_box b i -> in_box b (step i l) -> in_box b j -> in_box b (step j l) ->
  carry (a + dot t i) m (nth l t 0) = carry (a + dot t j) m (nth l t 0).
Proof.
  intros b a t m l i j Haff Hl Hi Hi' Hj Hj'.
  apply criterion in Haff. specialize (Haff l i j Hi Hi' Hj Hj' Hl).
  unfold floor_at in Haff.
  rewrite !dot_step in Haff by (erewrite in_box_length by eassumption; assumption).
  rewrite !Z.add_assoc in Haff. exact Haff.
Qed.

(** ** Theorem (R): if [f] is affine although some floors are not, their jumps cancel. *)
Theorem relation_complete : forall b base slope ls a t,
  moduli ls -> length t = length b ->
  affine b (seen_through base slope ls a t) ->
  not_affine b a t ls <> [] ->
  relation (map snd (not_affine b a t ls)).
Proof.
  intros b base slope ls a t Hm Hlen Haff Hne.
  (* a level whose floor is not affine, and two steps that show it *)
  assert (Hlevel : exists l, In l (not_affine b a t ls))
    by (destruct (not_affine b a t ls) as [| l r]; [congruence | exists l; now left]).
  destruct Hlevel as [[m d] Hin].
  pose proof (proj1 (not_affine_spec b a t ls (m, d) Hm Hlen) Hin) as [_ Hna].
  destruct (not_affine_steps_differ _ _ Hna) as (l & Hl & i & Hi & Hi' & Hj & Hj' & Hdiff).
  unfold floor_at in Hdiff. cbn [fst] in Hdiff.
  rewrite !dot_step in Hdiff by (erewrite in_box_length by eassumption; assumption).
  rewrite !Z.add_assoc in Hdiff.
  (* the coefficients are the gaps between these two steps *)
  set (x := nth l t 0) in *. set (n := a + dot t i) in *. set (n' := a + dot t (low b)) in *.
  exists (map (carry_gap n n' x) (not_affine b a t ls)).
  split; [now rewrite !map_length |]. split; [| split].
  - apply Forall_forall. intros e He. apply in_map_iff in He as (l' & <- & Hl').
    apply not_affine_spec in Hl' as [Hl' _]; try assumption.
    apply carries_close. unfold moduli in Hm. rewrite Forall_forall in Hm. auto.
  - apply Exists_exists. exists (carry_gap n n' x (m, d)). split; [now apply in_map |].
    unfold carry_gap, carry. cbn [fst]. lia.
  - unfold not_affine. rewrite <- dot_filter.
    + rewrite <- jumps_gap.
      apply criterion in Haff. specialize (Haff l i (low b) Hi Hi' Hj Hj' Hl).
      unfold seen_through, staircase in Haff.
      rewrite !dot_step in Haff by (erewrite in_box_length by eassumption; assumption).
      rewrite !Z.add_assoc in Haff. fold x in Haff. fold n n' in Haff. lia.
    + intros l' Hl' Hk. apply negb_false_iff in Hk.
      apply floor_affineb_spec in Hk; [| | exact Hlen].
      * unfold carry_gap, n, n', x.
        rewrite (affine_no_gap b a t (fst l') l i (low b)) by assumption. ring.
      * unfold moduli in Hm. rewrite Forall_forall in Hm. auto.
Qed.

(** ** Theorem: if nothing cancels, the single floors decide. *)
Theorem mergeable_iff_levelwise : forall b base slope ls a t,
  moduli ls -> length t = length b ->
  ~ relation (map snd (not_affine b a t ls)) ->
  (affine b (seen_through base slope ls a t) <-> levelwise b ls a t).
Proof.
  intros b base slope ls a t Hm Hlen Hno. split.
  - intro Haff. apply levelwise_iff_none; try assumption.
    destruct (not_affine b a t ls) as [| l r] eqn:E; [reflexivity |].
    exfalso. apply Hno. rewrite <- E.
    apply (relation_complete b base slope); try assumption. congruence.
  - apply levelwise_affine.
Qed.

(** One number that is not zero does not cancel. *)
Lemma no_relation_one : forall d, d <> 0 -> ~ relation [d].
Proof.
  intros d Hd (eps & Hlen & _ & Hex & Hdot).
  destruct eps as [| e [|]]; try discriminate.
  cbn [dot] in Hdot. inversion Hex as [? ? He | ? ? He]; subst; [nia | inversion He].
Qed.

(** ** Theorem: one broken level. [f] is affine exactly if its only floor is. *)
Theorem one_broken_level : forall b base slope m d a t,
  1 <= m -> d <> 0 -> length t = length b ->
  (affine b (seen_through base slope [(m, d)] a t) <-> affine b (floor_at a t m)).
Proof.
  intros b base slope m d a t Hm Hd Hlen.
  assert (Hmod : moduli [(m, d)]) by (constructor; [exact Hm | constructor]).
  split.
  - intro Haff. apply floor_affineb_spec; try assumption.
    destruct (floor_affineb b a t m) eqn:E; [reflexivity |].
    exfalso. apply (no_relation_one d Hd).
    pose proof (relation_complete b base slope [(m, d)] a t Hmod Hlen Haff) as H.
    cbn [not_affine filter fst] in H. rewrite E in H. apply H. discriminate.
  - intro Hfl. apply levelwise_affine. constructor; [exact Hfl | constructor].
Qed.

(** ** Two views *)

(** ** Theorem: two views without masks are a staircase seen through a position. *)
Theorem two_views_levels : forall v1 v2,
  well_formed v1 -> well_formed v2 -> unmasked v1 -> unmasked v2 ->
  shape v1 <> [] -> composable [v1] v2 ->
  (forall i, defined (stack [v1] v2) i <-> in_shape (shape v2) i)
  /\ (forall i, in_shape (shape v2) i ->
        value (stack [v1] v2) i
        = seen_through (offset v1) (last_stride v1) (view_levels v1)
            (offset v2) (strides v2) i).
Proof.
  intros v1 v2 W1 W2 U1 U2 Hrank Hc. split.
  - apply stack_defined_unmasked; auto.
  - intros i Hi.
    assert (Hv : valid v2 i) by (split; [exact Hi | rewrite U2; exact I]).
    destruct (Hc i Hv) as [Hn _].
    cbn [stack value descend]. rewrite closed_form by assumption. reflexivity.
Qed.

(** They are one view exactly if that function is affine. *)
Theorem mergeable_two_views : forall v1 v2,
  well_formed v1 -> well_formed v2 -> unmasked v1 -> unmasked v2 ->
  shape v1 <> [] -> composable [v1] v2 ->
  (mergeable (shape v2) (stack [v1] v2)
   <-> affine (box_of (shape v2))
         (seen_through (offset v1) (last_stride v1) (view_levels v1)
            (offset v2) (strides v2))).
Proof.
  intros v1 v2 W1 W2 U1 U2 Hrank Hc.
  destruct (two_views_levels v1 v2 W1 W2 U1 U2 Hrank Hc) as [_ Hval].
  rewrite criterion_chain by auto. rewrite <- criterion.
  split; intros (o & s & Hlen & H); exists o, s; (split; [exact Hlen |]); intros i Hi.
  - rewrite <- Hval by exact Hi. now apply H.
  - rewrite Hval by exact Hi. now apply H.
Qed.

(** (L) for views: if every floor is affine, the two are one view, and this is it. *)
Theorem levelwise_merges : forall v1 v2,
  well_formed v1 -> well_formed v2 -> unmasked v1 -> unmasked v2 ->
  shape v1 <> [] -> composable [v1] v2 ->
  levelwise (box_of (shape v2)) (view_levels v1) (offset v2) (strides v2) ->
  same_function
    (view_reading
       (View (shape v2)
          (map (step_adds (last_stride v1) (view_levels v1) (offset v2)) (strides v2))
          (view_staircase v1 (offset v2)) All))
    (stack [v1] v2).
Proof.
  intros v1 v2 W1 W2 U1 U2 Hrank Hc Hlw.
  destruct (two_views_levels v1 v2 W1 W2 U1 U2 Hrank Hc) as [Hdef Hval].
  assert (Hlen : length (strides v2) = length (box_of (shape v2)))
    by (rewrite box_of_length; apply W2).
  destruct (levelwise_sound _ (offset v1) (last_stride v1) _ _ _ Hlen Hlw) as [_ Haff].
  unfold slopes in Haff.
  rewrite corner_position_shape, low_box_of, dot_zeros_r, Z.sub_0_r in Haff.
  split.
  - intro i. rewrite Hdef. unfold view_reading, valid. cbn [defined shape mask valid_at]. tauto.
  - intros i [Hi _]. cbn [shape] in Hi. rewrite Hval by exact Hi.
    unfold view_reading, index. cbn [value strides offset].
    symmetry. exact (Haff i Hi).
Qed.

(** If the view above has an index at all, the view below has no empty axis. *)
Lemma composable_positive : forall v1 v2,
  well_formed v1 -> unmasked v2 -> composable [v1] v2 ->
  in_box (box_of (shape v2)) (low (box_of (shape v2))) -> positive (shape v1).
Proof.
  intros v1 v2 W1 U2 Hc Hi.
  assert (Hv : valid v2 (low (box_of (shape v2)))) by (split; [exact Hi | rewrite U2; exact I]).
  destruct (Hc _ Hv) as [Hn _]. apply count_pos_sizes; [apply W1 | lia].
Qed.

(** (R) for views: where the jumps of the levels that are not affine do not
    cancel, two views are one view exactly if every floor is affine. *)
Theorem two_views_without_relation : forall v1 v2,
  well_formed v1 -> well_formed v2 -> unmasked v1 -> unmasked v2 ->
  shape v1 <> [] -> composable [v1] v2 ->
  ~ relation (map snd (not_affine (box_of (shape v2)) (offset v2) (strides v2)
                         (view_levels v1))) ->
  (mergeable (shape v2) (stack [v1] v2)
   <-> levelwise (box_of (shape v2)) (view_levels v1) (offset v2) (strides v2)).
Proof.
  intros v1 v2 W1 W2 U1 U2 Hrank Hc Hno.
  rewrite mergeable_two_views by assumption.
  destruct (in_box_dec (box_of (shape v2)) (low (box_of (shape v2)))) as [Hi | Hempty].
  - apply mergeable_iff_levelwise; [| | exact Hno].
    + apply levels_moduli. now apply (composable_positive v1 v2).
    + rewrite box_of_length. apply W2.
  - split; intros _.
    + apply Forall_forall. intros l _. now apply affine_on_empty_box.
    + now apply affine_on_empty_box.
Qed.

(** ** Theorem: one floor always decides rank two.

    A view (p,q):(x,y) has the one level (q, x - q * y). If the level is zero it
    is a ramp and merges with everything; if not, everything depends on floor(n / q),
    which [Floors.floor_affine_corners] decides. *)
Theorem rank_two : forall p q x y o v2,
  let v1 := View [p; q] [x; y] o All in
  0 <= p -> 0 <= q -> well_formed v2 -> unmasked v2 -> composable [v1] v2 ->
  (mergeable (shape v2) (stack [v1] v2)
   <-> x = q * y \/ affine (box_of (shape v2)) (floor_at (offset v2) (strides v2) q)).
Proof.
  intros p q x y o v2 v1 Hp Hq W2 U2 Hc.
  assert (W1 : well_formed v1)
    by (repeat split; [constructor; [exact Hp | constructor; [lia | constructor]]]).
  assert (Hlen : length (strides v2) = length (box_of (shape v2)))
    by (rewrite box_of_length; apply W2).
  rewrite mergeable_two_views by (assumption || reflexivity || discriminate).
  change (view_levels v1) with [(q * 1, x - q * y)]. rewrite Z.mul_1_r.
  destruct (Z.eq_dec x (q * y)) as [E | E].
  - split; [intros _; left; exact E | intros _].
    replace (x - q * y) with 0 by lia.
    exists (offset v1 + last_stride v1 * offset v2), (map (Z.mul (last_stride v1)) (strides v2)).
    split; [now rewrite map_length |].
    intros i _. unfold seen_through, staircase. cbn [jumps]. rewrite dot_scale. ring.
  - destruct (in_box_dec (box_of (shape v2)) (low (box_of (shape v2)))) as [Hi | Hempty].
    + assert (Hpos : positive [p; q]) by now apply (composable_positive v1 v2).
      inversion Hpos as [| ? ? _ Hpos']; subst. inversion Hpos' as [| ? ? Hq' _]; subst.
      rewrite one_broken_level by (assumption || lia). split; [tauto |].
      intros [H | H]; [contradiction | exact H].
    + split; intros _; [right |]; now apply affine_on_empty_box.
Qed.

(** ** The running example *)

(** Strides (9,1,2): the jumps 6 and -5 do not cancel, both floors break at
    length 4, and so three indices of stride 4 are one view and four are not. *)
Example nothing_cancels :
  not_affine (box_of [3]) 0 [4] [(9, 6); (3, -5)] = []
  /\ not_affine (box_of [4]) 0 [4] [(9, 6); (3, -5)] = [(9, 6); (3, -5)]
  /\ ~ relation [6; -5].
Proof.
  split; [reflexivity |]. split; [reflexivity |].
  intros (eps & Hlen & Hr & Hex & Hdot).
  destruct eps as [| e [| e' [|]]]; try discriminate.
  inversion Hr as [| ? ? He Hr']; subst. inversion Hr' as [| ? ? He' _]; subst.
  cbn [dot] in Hdot. assert (e = 0 /\ e' = 0) as [-> ->] by lia.
  inversion Hex as [? ? H | ? ? H]; subst; [lia |].
  inversion H as [? ? H' | ? ? H']; subst; [lia | inversion H'].
Qed.
