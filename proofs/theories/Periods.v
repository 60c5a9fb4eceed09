(** * Periods: long axes can be cut short

    A ramp with jumps, read at an affine position:

<<
      f(i) = base + slope * n + sum_j delta_j * (n / m_j),   n = a + sum_l t_l * i_l
>>

    Suppose every modulus [m_j] divides [M], the coarsest one. Adding a multiple of [M] to
    [n] adds the same number to [f] everywhere, since no remainder changes. Moving axis
    [l] by

<<
      p_l = M / gcd(M, t_l)
>>

    adds t_l * p_l to [n], a multiple of [M]. So [f] repeats along the axis, up to a
    constant, with period [p_l]: a failure on a long axis already occurs within its first
    [p_l + 1] indices.

    Running example: levels 3 and 9, position n = 4 * i, axis of length 1000.
    Here M = 9 and p = 9 / gcd(9, 4) = 9: the first 10 indices are enough. With stride 6
    the period is 3, and 4 indices are enough.

    The theorems hold for a box with any number of axes:
    - [period_shift]: moving an axis by its period adds a constant;
    - [period_cut]: cutting every axis to its period and one index more does not
      change whether the function is affine;
    - [period_cut_flat]: levels with affine floors need not divide [M];
    - [period_cut_views]: the same for two views;
    - [divide_common_factor]: a factor that all strides and moduli share can be
      divided out first. *)

From Coq Require Import ZArith List Lia.
From Viewmerge Require Import Views Lists Criterion Staircase Levels Accidental.
Import ListNotations.
Open Scope Z_scope.

(** ** Moving by a multiple of the coarsest modulus *)

(** Every modulus is positive and divides [M]. *)
Definition divide_into (M : Z) (ls : list (Z * Z)) : Prop :=
  Forall (fun level => 0 < fst level /\ (fst level | M)) ls.

(** Moving by a multiple of [M] adds the same everywhere. *)
Lemma jumps_shift : forall M ls k n, divide_into M ls ->
  jumps ls (n + M * k) = jumps ls n + jumps ls (M * k).
Proof.
  intros M ls k n H. induction H as [|[m delta] ls [Hm [q Hq]] H IH]; [reflexivity|].
  cbn [jumps fst] in *. rewrite IH.
  replace (M * k) with (q * k * m) by (rewrite Hq; ring).
  rewrite Z.div_add, Z.div_mul by lia. ring.
Qed.

Lemma jumps_app : forall ls ls' n, jumps (ls ++ ls') n = jumps ls n + jumps ls' n.
Proof.
  induction ls as [|[m d] ls IH]; intros ls' n; cbn [app jumps]; [reflexivity|].
  rewrite IH. ring.
Qed.

Lemma staircase_shift : forall base slope M ls k n, divide_into M ls ->
  staircase base slope ls (n + M * k)
  = staircase base slope ls n + staircase 0 slope ls (M * k).
Proof.
  intros. unfold staircase. rewrite (jumps_shift M) by assumption. ring.
Qed.

(** ** Moving along one axis *)

(** [shift i l p] is the index [i] with axis [l] increased by [p]. *)
Fixpoint shift (i : list Z) (l : nat) (p : Z) : list Z :=
  match i, l with
  | [], _ => []
  | x :: i', O => (x + p) :: i'
  | x :: i', S l' => x :: shift i' l' p
  end.

Lemma step_is_shift : forall i l, step i l = shift i l 1.
Proof. induction i as [|x i IH]; intros [|l]; simpl; congruence. Qed.

Lemma dot_shift : forall t i l p, length i = length t -> (l < length t)%nat ->
  dot t (shift i l p) = dot t i + nth l t 0 * p.
Proof.
  induction t as [|x t IH]; intros [|y i] l p Hi Hl; simpl in *; try lia.
  destruct l as [|l]; simpl; [ring|]. rewrite IH by lia. ring.
Qed.

(** The period of an axis with stride [t]. *)
Definition period (M t : Z) : Z := M / Z.gcd M t.

Example period_example : period 9 4 = 9 /\ period 9 6 = 3.
Proof. split; reflexivity. Qed.

(** A whole period moves the position by a multiple of [M]. *)
Lemma period_multiple : forall M t, 0 < M ->
  t * period M t = M * (t / Z.gcd M t).
Proof.
  intros M t HM. unfold period.
  destruct (Z.gcd_divide_l M t) as [u Hu], (Z.gcd_divide_r M t) as [w Hw].
  set (g := Z.gcd M t) in *.
  assert (g <> 0) by (intro E; rewrite E in Hu; lia).
  rewrite Hu at 1. rewrite Hw at 2. rewrite !Z.div_mul by assumption.
  rewrite Hu, Hw at 1. ring.
Qed.

Lemma period_positive : forall M t, 0 < M -> 1 <= period M t.
Proof.
  intros M t HM. unfold period.
  destruct (Z.gcd_divide_l M t) as [u Hu]. pose proof (Z.gcd_nonneg M t).
  set (g := Z.gcd M t) in *.
  assert (0 < g) by (destruct (Z.eq_dec g 0) as [E|]; [rewrite E in Hu; lia | lia]).
  assert (E : M / g = u) by (rewrite Hu; apply Z.div_mul; lia).
  rewrite E. nia.
Qed.

(** Shifting an axis by its period adds a constant to [f]. *)
Theorem period_shift : forall base slope ls M a t l,
  0 < M -> divide_into M ls -> (l < length t)%nat ->
  let f i := staircase base slope ls (a + dot t i) in
  let p := period M (nth l t 0) in
  forall i, length i = length t ->
    f (shift i l p) = f i + staircase 0 slope ls (nth l t 0 * p).
Proof.
  intros base slope ls M a t l HM HL Hl f p i Hi. unfold f, p.
  rewrite dot_shift by assumption. rewrite period_multiple by assumption.
  rewrite Z.add_assoc. now apply staircase_shift.
Qed.

(** ** Cutting a box *)

(** At most [p + 1] indices are kept on an axis of period [p]. *)
Fixpoint cut_box (b : box) (ps : list Z) : box :=
  match b, ps with
  | (lo, hi) :: b', p :: ps' => (lo, Z.min hi (lo + p + 1)) :: cut_box b' ps'
  | _, _ => b
  end.

Lemma cut_length : forall b ps, length (cut_box b ps) = length b.
Proof.
  induction b as [|[lo hi] b IH]; intros [|p ps]; simpl; auto.
Qed.

Lemma in_cut_in_box : forall b ps i, in_box (cut_box b ps) i -> in_box b i.
Proof.
  induction b as [|[lo hi] b IH]; intros [|p ps] [|x i]; simpl; try tauto.
  intros [Hx Hi]. split; [lia | eauto].
Qed.

(** One axis: a function that repeats up to a constant, and is affine on one
    period and one index more, is affine on all of it. *)
Lemma extend_along_axis : forall (g : Z -> Z) lo hi p c o y, 1 <= p ->
  (forall x, g (x + p) = g x + c) ->
  (forall x, lo <= x < Z.min hi (lo + p + 1) -> g x = o + y * x) ->
  forall x, lo <= x < hi -> g x = o + y * x.
Proof.
  intros g lo hi p c o y Hp Hg Hcut x [Hlo Hhi].
  assert (H : forall k, 0 <= k -> forall x, lo <= x < hi -> x - lo < k -> g x = o + y * x).
  { clear x Hlo Hhi. apply (natlike_ind
      (fun k => forall x, lo <= x < hi -> x - lo < k -> g x = o + y * x)); [lia|].
    intros k Hk IH x Hx Hxk.
    destruct (Z_lt_le_dec x (lo + p + 1)) as [Hshort|Hlong]; [apply Hcut; lia|].
    pose proof (Hg lo) as Hc. rewrite !Hcut in Hc by lia.
    replace x with (x - p + p) at 1 by ring.
    rewrite Hg, IH by lia. lia. }
  apply (H (x - lo + 1)); lia.
Qed.

(** [f] repeats along every axis, up to a constant. *)
Definition repeats (ps : list Z) (f : list Z -> Z) : Prop :=
  forall l, (l < length ps)%nat ->
  exists c, forall i, length i = length ps -> f (shift i l (nth l ps 0)) = f i + c.

(** Any number of axes: one axis after the other. *)
Lemma extend_affine : forall b ps f o a,
  length ps = length b -> Forall (fun p => 1 <= p) ps -> repeats ps f ->
  affine_on (cut_box b ps) f o a -> affine_on b f o a.
Proof.
  induction b as [|[lo hi] b IH]; intros ps f o a Hps Hpos Hrep [Hl Ha].
  - destruct ps; [|discriminate]. now split.
  - destruct ps as [|p ps]; [discriminate|]. destruct a as [|y a]; [discriminate|].
    simpl in Hps, Hl. rewrite cut_length in Hl.
    inversion Hpos as [|? ? Hp Hpos']; subst.
    split; [simpl; lia|]. intros [|x i] Hi; [contradiction|]. destruct Hi as [Hx Hi].
    assert (Hslice : forall x, lo <= x < Z.min hi (lo + p + 1) ->
                       f (x :: i) = (o + dot a i) + y * x).
    { clear x Hx. intros x Hx.
      destruct (IH ps (fun j => f (x :: j)) (o + y * x) a) as [_ H]; auto.
      - intros l Hl'. destruct (Hrep (S l)) as [c Hc]; [simpl; lia|].
        exists c. intros j Hj. apply (Hc (x :: j)). simpl. lia.
      - split; [rewrite cut_length; lia|]. intros j Hj.
        rewrite (Ha (x :: j)) by (split; [lia | exact Hj]). cbn [dot]. ring.
      - rewrite (H i Hi). ring. }
    destruct (Hrep 0%nat) as [c Hc]; [simpl; lia|].
    rewrite (extend_along_axis (fun x => f (x :: i)) lo hi p c (o + dot a i) y); auto.
    + cbn [dot]. ring.
    + intros x'. apply (Hc (x' :: i)). simpl. f_equal.
      rewrite (in_box_length _ _ Hi). lia.
Qed.

(** A function that repeats is affine on the box exactly if it is on the cut
    box, and with the same strides. *)
Theorem repeats_cut : forall b ps f,
  length ps = length b -> Forall (fun p => 1 <= p) ps -> repeats ps f ->
  (affine b f <-> affine (cut_box b ps) f).
Proof.
  intros b ps f Hl Hpos Hrep. split; intros (o & a & Ha).
  - destruct Ha as [Hla Ha]. exists o, a. split; [now rewrite cut_length|].
    intros i Hi. apply Ha. now apply in_cut_in_box in Hi.
  - exists o, a. now apply extend_affine with ps.
Qed.

(** The ramp with jumps: cutting every axis to its period and one more index
    does not change whether it is affine. *)
Theorem period_cut : forall b base slope ls M a t,
  0 < M -> divide_into M ls -> length t = length b ->
  let f i := staircase base slope ls (a + dot t i) in
  affine b f <-> affine (cut_box b (map (period M) t)) f.
Proof.
  intros b base slope ls M a t HM HL Ht f.
  apply repeats_cut.
  - now rewrite map_length.
  - apply Forall_forall. intros p Hp. apply in_map_iff in Hp as (x & <- & _).
    now apply period_positive.
  - intros l Hl. rewrite map_length in *.
    exists (staircase 0 slope ls (nth l t 0 * period M (nth l t 0))). intros i Hi.
    rewrite (nth_indep _ 0 (period M 0)) by (now rewrite map_length).
    rewrite map_nth. now apply period_shift.
Qed.

(** Levels whose floors are affine on the box do not matter: [M] need only be a
    multiple of the moduli of the others. So the period is set by the coarsest
    level that is not affine, however coarse the [flat] ones are. *)
Theorem period_cut_flat : forall b base slope flat others M a t,
  0 < M -> divide_into M others -> levelwise b flat a t -> length t = length b ->
  let f := seen_through base slope (flat ++ others) a t in
  affine b f <-> affine (cut_box b (map (period M) t)) f.
Proof.
  intros b base slope flat others M a t HM Ho Hflat Ht f.
  set (short := cut_box b (map (period M) t)).
  assert (Hg : affine b (seen_through 0 0 flat a t)) by now apply levelwise_affine.
  assert (Hg' : affine short (seen_through 0 0 flat a t)).
  { destruct Hg as (o & s & Hl & H). exists o, s.
    split; [unfold short; now rewrite cut_length|].
    intros i Hi. apply H. now apply in_cut_in_box in Hi. }
  assert (Hf : forall i, f i = seen_through 0 0 flat a t i + 1 * seen_through base slope others a t i).
  { intros i. unfold f, seen_through, staircase. rewrite jumps_app. ring. }
  rewrite (affine_up_to b f _ _ 1 ltac:(lia) Hg Hf).
  rewrite (affine_up_to short f _ _ 1 ltac:(lia) Hg' Hf).
  now apply period_cut.
Qed.

(** [period_cut] in terms of increments. *)
Corollary period_cut_increments : forall b base slope ls M a t,
  0 < M -> divide_into M ls -> length t = length b ->
  let f i := staircase base slope ls (a + dot t i) in
  constant_increments b f <-> constant_increments (cut_box b (map (period M) t)) f.
Proof. intros. rewrite <- !criterion. now apply period_cut. Qed.

(** ** Cutting the upper of two views *)

Fixpoint cut_shape (s ps : list Z) : list Z :=
  match s, ps with
  | n :: s', p :: ps' => Z.min n (p + 1) :: cut_shape s' ps'
  | _, _ => s
  end.

Lemma box_of_cut_shape : forall s ps, box_of (cut_shape s ps) = cut_box (box_of s) ps.
Proof.
  induction s as [|n s IH]; intros [|p ps]; try reflexivity.
  cbn [cut_shape box_of map cut_box]. f_equal. apply IH.
Qed.

(** The moduli of a view's levels divide the coarsest one, the number of
    elements after the first axis. *)
Lemma levels_divide : forall s t, positive s -> divide_into (count (tl s)) (levels s t).
Proof.
  induction s as [|x s IH]; intros t Hs; [constructor|].
  destruct t as [|y t]; [constructor|].
  destruct s as [|x' s]; [constructor|]. destruct t as [|y' t]; [constructor|].
  inversion Hs as [|? ? _ Hs']; subst.
  change (levels (x :: x' :: s) (y :: y' :: t))
    with ((count (x' :: s), y - x' * y') :: levels (x' :: s) (y' :: t)).
  cbn [tl]. constructor.
  - split; [apply count_pos; exact Hs' | apply Z.divide_refl].
  - apply Forall_impl with (2 := IH (y' :: t) Hs'). cbn [tl].
    intros [m d] [Hm Hd]. split; [exact Hm|]. rewrite count_cons. now apply Z.divide_mul_r.
Qed.

(** Two views without padding: the upper one can be cut to the periods of its
    axes and one index more before asking whether they merge. *)
Theorem period_cut_views : forall v1 v2,
  well_formed v1 -> well_formed v2 -> unmasked v1 -> unmasked v2 ->
  positive (shape v1) -> shape v1 <> [] -> composable [v1] v2 ->
  let M := count (tl (shape v1)) in
  let short := View (cut_shape (shape v2) (map (period M) (strides v2)))
                    (strides v2) (offset v2) All in
  mergeable (shape v2) (stack [v1] v2) <-> mergeable (shape short) (stack [v1] short).
Proof.
  intros v1 v2 W1 W2 U1 U2 Hpos Hne Hc M short.
  assert (HM : 0 < M).
  { apply count_pos. inversion Hpos; [constructor | assumption]. }
  pose proof W2 as (Hnn & Hlen & _).
  assert (Hshort : forall i, in_shape (shape short) i -> in_shape (shape v2) i).
  { unfold in_shape. cbn [shape short]. intros i.
    rewrite box_of_cut_shape. apply in_cut_in_box. }
  assert (Hper : Forall (fun p => 1 <= p) (map (period M) (strides v2))).
  { apply Forall_forall. intros p Hp. apply in_map_iff in Hp as (x & <- & _).
    now apply period_positive. }
  assert (Ws : well_formed short).
  { split; [|split; [|exact I]]; cbn [shape strides short].
    - clear - Hnn Hper. revert Hper. generalize (map (period M) (strides v2)).
      induction Hnn as [|n s Hn Hs IH]; intros [|p ps] Hp; cbn [cut_shape];
        try (constructor; assumption).
      inversion Hp; subst. constructor; [lia | now apply IH].
    - rewrite Hlen, <- !box_of_length, box_of_cut_shape. now rewrite cut_length. }
  assert (Hcs : composable [v1] short).
  { intros i [Hi _]. apply (Hc i). split; [now apply Hshort|]. now rewrite U2. }
  rewrite !mergeable_two_views by (assumption || reflexivity).
  cbn [shape short]. rewrite box_of_cut_shape.
  apply period_cut; [exact HM | now apply levels_divide | now rewrite box_of_length].
Qed.

(** ** A common factor can be divided out *)

(** If [g] divides all strides, dividing the position by [g] leaves an affine
    position, with the strides divided ... *)
Lemma divide_position : forall g a t i, 0 < g -> Forall (fun x => (g | x)) t ->
  (a + dot t i) / g = a / g + dot (map (fun x => x / g) t) i.
Proof.
  intros g a t i Hg Ht. revert a i.
  induction Ht as [|x t [q Hq] Ht IH]; intros a [|y i]; cbn [dot map];
    try (rewrite Z.add_0_r; lia).
  rewrite Z.add_assoc, IH. rewrite Hq, Z.div_mul by lia.
  replace (a + q * g * y) with (a + q * y * g) by ring.
  rewrite Z.div_add by lia. ring.
Qed.

(** ... and if it divides the modulus too, the floor is the floor of that
    smaller position by a smaller modulus. *)
Theorem divide_common_factor : forall g a t m i,
  0 < g -> 0 < m -> (g | m) -> Forall (fun x => (g | x)) t ->
  let n := a + dot t i in
  n / m = n / g / (m / g)
  /\ n / g = a / g + dot (map (fun x => x / g) t) i.
Proof.
  intros g a t m i Hg Hm [q Hq] Ht n. split; [|now apply divide_position].
  assert (0 < q) by nia.
  replace (m / g) with q by (rewrite Hq, Z.div_mul; lia).
  rewrite Z.div_div by lia. f_equal. lia.
Qed.

(** The whole staircase is one of a smaller position, with smaller moduli and
    the same jumps. *)
Corollary divide_common_factor_staircase : forall g base slope ls a t i,
  0 < g -> Forall (fun x => (g | x)) t ->
  Forall (fun level => 0 < fst level /\ (g | fst level)) ls ->
  let smaller := map (fun level => (fst level / g, snd level)) ls in
  staircase base slope ls (a + dot t i)
  = staircase (base + slope * (a mod g)) (slope * g) smaller
      (a / g + dot (map (fun x => x / g) t) i).
Proof.
  intros g base slope ls a t i Hg Ht Hls smaller. unfold staircase, smaller.
  rewrite <- (divide_position g a t i Hg Ht). set (n := a + dot t i).
  assert (Hmod : a mod g = n mod g).
  { unfold n. clear - Hg Ht. revert a i.
    induction Ht as [|x t [q ->] Ht IH]; intros a [|y i]; cbn [dot];
      try (now rewrite Z.add_0_r).
    rewrite Z.add_assoc, <- IH. replace (q * g * y) with (q * y * g) by ring.
    now rewrite Z.mod_add by lia. }
  rewrite Hmod.
  assert (Hj : jumps ls n = jumps (map (fun level => (fst level / g, snd level)) ls) (n / g)).
  { clear Hmod smaller. induction Hls as [|[m d] ls [Hm Hd] Hls IH]; [reflexivity|].
    cbn [map fst snd jumps] in *. rewrite IH.
    destruct (divide_common_factor g a t m i Hg Hm Hd Ht) as [E _].
    cbv zeta in E. fold n in E. now rewrite E. }
  rewrite Hj. rewrite (Z.div_mod n g) at 1 by lia. ring.
Qed.
