(** * Accidental merges: two overflows that cancel

    Read by linear position [n], a view is a ramp with a jump at every multiple
    of each broken level. Take two levels, the fine one [m] and the coarse one
    [m * M], whose jumps have the same size:

<<
      f = base + slope * n + delta * h,   h = n / m - n / (m * M)   (opposite jumps)
                                    or    h = n / m + n / (m * M)   (equal jumps)
>>

    Neither floor need be affine, yet their difference or sum can be: one level overflows
    exactly when the other makes up for it.

    Running example: levels 4 and 12, so m = 4 and M = 3, and n = 6 * i.

<<
      i             0   1   2   3   4   5   6
      n / 4         0   1   3   4   6   7   9
      n / 12        0   0   1   1   2   2   3
      difference    0   1   2   3   4   5   6
>>

    Whether [h] equals a given number [A] at one point is a test with one floor
    instead of two:

<<
      opposite jumps:  e =   (n - m * A) / m    and  0 <= A - (M - 1) * e <= M - 1
      equal jumps:     e = - ((n - m * A) / m)  and  0 <= A - (M + 1) * e <= M - 1
>>

    On a box, [A] is the only affine function that [h] can be: the one read off
    at the low corner and its neighbours. In the example A = i, and
    e = (6 * i - 4 * i) / 4 = i / 2, so that A - 2 * e is i mod 2: always in
    [0, 2], and the two levels merge at every length. *)

From Coq Require Import ZArith List Lia.
From Viewmerge Require Import Views Lists Criterion Staircase.
Import ListNotations.
Open Scope Z_scope.

(** ** At one point *)

(** A floor equals [e] exactly if the remainder it leaves is in range. *)
Lemma floor_equals : forall x M e, 1 <= M ->
  x / M = e <-> 0 <= x - M * e <= M - 1.
Proof.
  intros x M e HM. split; intro H.
  - subst e. pose proof (Z.mod_pos_bound x M ltac:(lia)).
    pose proof (Z.div_mod x M ltac:(lia)). lia.
  - symmetry. apply Z.div_unique with (r := x - M * e); lia.
Qed.

(** The coarse floor is a floor of the fine one. *)
Lemma coarse_floor : forall n m M, 1 <= m -> 1 <= M ->
  n / (m * M) = n / m / M.
Proof. intros. symmetry. apply Z.div_div; lia. Qed.

(** Subtracting [m * A] from [n] subtracts [A] from the fine floor. *)
Lemma floor_minus_multiple : forall n m A, 1 <= m ->
  (n - m * A) / m = n / m - A.
Proof.
  intros n m A Hm. replace (n - m * A) with (n + (- A) * m) by ring.
  rewrite Z.div_add by lia. lia.
Qed.

Theorem accidental_opposite : forall n m M A, 1 <= m -> 1 <= M ->
  let h := n / m - n / (m * M) in
  let e := (n - m * A) / m in
  h = A <-> 0 <= A - (M - 1) * e <= M - 1.
Proof.
  intros n m M A Hm HM h e. unfold h, e.
  rewrite coarse_floor, floor_minus_multiple by lia.
  pose proof (floor_equals (n / m) M (n / m - A) HM) as F.
  replace (A - (M - 1) * (n / m - A)) with (n / m - M * (n / m - A)) by ring.
  rewrite <- F. lia.
Qed.

Theorem accidental_equal : forall n m M A, 1 <= m -> 1 <= M ->
  let h := n / m + n / (m * M) in
  let e := - ((n - m * A) / m) in
  h = A <-> 0 <= A - (M + 1) * e <= M - 1.
Proof.
  intros n m M A Hm HM h e. unfold h, e.
  rewrite coarse_floor, floor_minus_multiple by lia.
  pose proof (floor_equals (n / m) M (A - n / m) HM) as F.
  replace (A - (M + 1) * - (n / m - A)) with (n / m - M * (A - n / m)) by ring.
  rewrite <- F. lia.
Qed.

(** ** The only affine function it can be *)

(** The affine function read off at the low corner of the box and at its
    neighbours: the value at the corner, and along each axis the increment of
    the first step. *)
Definition candidate (b : box) (h : list Z -> Z) (i : list Z) : Z :=
  h (low b) + (dot (corner_strides b h) i - dot (corner_strides b h) (low b)).

(** A function is affine exactly if it is its own candidate. *)
Theorem affine_iff_candidate : forall b h,
  affine b h <-> forall i, in_box b i -> h i = candidate b h i.
Proof.
  intros b h. unfold candidate. split.
  - intros H i Hi. apply criterion, corner_affine in H as [_ H]. rewrite (H i Hi). ring.
  - intros H.
    exists (h (low b) - dot (corner_strides b h) (low b)), (corner_strides b h).
    split; [apply corner_strides_length|]. intros i Hi. rewrite (H i Hi). ring.
Qed.

(** Reading off respects sums and multiples. *)
Lemma corner_strides_linear : forall b f g h delta i,
  (forall j, f j = g j + delta * h j) ->
  dot (corner_strides b f) i = dot (corner_strides b g) i + delta * dot (corner_strides b h) i.
Proof.
  induction b as [|[lo hi] b IH]; intros f g h delta i Hf; [cbn; ring|].
  destruct i as [|x i]; [cbn; ring|]. cbn [corner_strides dot].
  rewrite (IH (fun j => f (lo :: j)) (fun j => g (lo :: j)) (fun j => h (lo :: j)) delta)
    by (intros; apply Hf).
  rewrite !Hf. destruct (lo + 1 <? hi); ring.
Qed.

Lemma candidate_linear : forall b f g h delta i,
  (forall j, f j = g j + delta * h j) ->
  candidate b f i = candidate b g i + delta * candidate b h i.
Proof.
  intros b f g h delta i Hf. unfold candidate.
  rewrite !(corner_strides_linear b f g h delta), Hf by assumption. ring.
Qed.

(** ** On a box *)

(** A function that differs from a multiple of [h] by an affine function is
    affine exactly if [h] is: over the integers too, because both are then
    their own candidates. *)
Lemma affine_up_to : forall b f g h delta, delta <> 0 ->
  affine b g -> (forall i, f i = g i + delta * h i) ->
  (affine b f <-> affine b h).
Proof.
  intros b f g h delta Hd Hg Hf.
  rewrite affine_iff_candidate in Hg. rewrite !affine_iff_candidate.
  split; intros H i Hi; specialize (H i Hi);
    rewrite (candidate_linear b f g h delta), Hf, (Hg i Hi) in * by assumption.
  - apply Z.mul_reg_l with delta; lia.
  - now rewrite <- H.
Qed.

(** The ramp of an affine position is affine. *)
Lemma ramp_affine : forall b base slope a t, length t = length b ->
  affine b (fun i => base + slope * (a + dot t i)).
Proof.
  intros b base slope a t Hl. exists (base + slope * a), (map (Z.mul slope) t).
  split; [now rewrite map_length|]. intros i Hi. rewrite dot_scale. ring.
Qed.

(** Opposite jumps: the ramp with two levels is affine on the box exactly if
    the candidate passes the test at every index. *)
Theorem two_level_criterion_opposite : forall b base slope delta m M a t,
  1 <= m -> 1 <= M -> delta <> 0 -> length t = length b ->
  let n i := a + dot t i in
  let h i := n i / m - n i / (m * M) in
  let A := candidate b h in
  affine b (fun i => base + slope * n i + delta * h i)
  <-> forall i, in_box b i ->
        let e := (n i - m * A i) / m in 0 <= A i - (M - 1) * e <= M - 1.
Proof.
  intros b base slope delta m M a t Hm HM Hd Hl n h A.
  rewrite (affine_up_to b _ (fun i => base + slope * n i) h delta)
    by (assumption || (intros; reflexivity) || (apply ramp_affine; assumption)).
  rewrite affine_iff_candidate. fold A.
  split; intros H i Hi; specialize (H i Hi);
    apply (accidental_opposite (n i) m M (A i) Hm HM); exact H.
Qed.

(** Equal jumps: the same, with the other test. *)
Theorem two_level_criterion_equal : forall b base slope delta m M a t,
  1 <= m -> 1 <= M -> delta <> 0 -> length t = length b ->
  let n i := a + dot t i in
  let h i := n i / m + n i / (m * M) in
  let A := candidate b h in
  affine b (fun i => base + slope * n i + delta * h i)
  <-> forall i, in_box b i ->
        let e := - ((n i - m * A i) / m) in 0 <= A i - (M + 1) * e <= M - 1.
Proof.
  intros b base slope delta m M a t Hm HM Hd Hl n h A.
  rewrite (affine_up_to b _ (fun i => base + slope * n i) h delta)
    by (assumption || (intros; reflexivity) || (apply ramp_affine; assumption)).
  rewrite affine_iff_candidate. fold A.
  split; intros H i Hi; specialize (H i Hi);
    apply (accidental_equal (n i) m M (A i) Hm HM); exact H.
Qed.

(** ** Two views *)

(** What a view with three axes reads: a ramp with two levels. *)
Lemma three_axes_read : forall B p q x y z o n, 1 <= p -> 1 <= q ->
  at_position (View [B; p; q] [x; y; z] o All) n
  = o + z * n + (x - p * y) * (n / (p * q)) + (y - q * z) * (n / q).
Proof.
  intros B p q x y z o n Hp Hq. unfold at_position, index. cbn [shape strides offset].
  rewrite closed_form_digits; try discriminate; try reflexivity;
    [|cbn [tl]; repeat constructor; lia].
  cbn [last levels count fold_right jumps]. rewrite !Z.mul_1_r. ring.
Qed.

(** So the criteria decide when (B,M,m):(x,y,z) merges with a view on top of it, with any
    number of axes, if its two jumps are opposite ... *)
Theorem two_level_views_opposite : forall B M m x y z o v2,
  let v1 := View [B; M; m] [x; y; z] o All in
  0 <= B -> 1 <= M -> 1 <= m -> well_formed v2 -> unmasked v2 -> composable [v1] v2 ->
  y - m * z <> 0 -> x - M * y = - (y - m * z) ->
  let b := box_of (shape v2) in
  let A := candidate b (fun i => index v2 i / m - index v2 i / (m * M)) in
  mergeable (shape v2) (stack [v1] v2)
  <-> forall i, in_shape (shape v2) i ->
        let e := (index v2 i - m * A i) / m in 0 <= A i - (M - 1) * e <= M - 1.
Proof.
  intros B M m x y z o v2 v1 HB HM Hm W2 U2 Hc Hd Hopp b A.
  rewrite criterion_two_views; try assumption; try reflexivity;
    [|split; [repeat constructor; lia | split; [reflexivity | exact I]]].
  rewrite <- criterion. pose proof W2 as (_ & Hlen & _).
  rewrite <- (box_of_length (shape v2)) in Hlen.
  etransitivity;
    [|exact (two_level_criterion_opposite b o z (y - m * z) m M (offset v2) (strides v2)
               Hm HM Hd Hlen)].
  apply affine_same. intros i. unfold v1. rewrite three_axes_read by assumption.
  rewrite Hopp, (Z.mul_comm M m). unfold index. ring.
Qed.

(** ... or equal. *)
Theorem two_level_views_equal : forall B M m x y z o v2,
  let v1 := View [B; M; m] [x; y; z] o All in
  0 <= B -> 1 <= M -> 1 <= m -> well_formed v2 -> unmasked v2 -> composable [v1] v2 ->
  y - m * z <> 0 -> x - M * y = y - m * z ->
  let b := box_of (shape v2) in
  let A := candidate b (fun i => index v2 i / m + index v2 i / (m * M)) in
  mergeable (shape v2) (stack [v1] v2)
  <-> forall i, in_shape (shape v2) i ->
        let e := - ((index v2 i - m * A i) / m) in 0 <= A i - (M + 1) * e <= M - 1.
Proof.
  intros B M m x y z o v2 v1 HB HM Hm W2 U2 Hc Hd Hequal b A.
  rewrite criterion_two_views; try assumption; try reflexivity;
    [|split; [repeat constructor; lia | split; [reflexivity | exact I]]].
  rewrite <- criterion. pose proof W2 as (_ & Hlen & _).
  rewrite <- (box_of_length (shape v2)) in Hlen.
  etransitivity;
    [|exact (two_level_criterion_equal b o z (y - m * z) m M (offset v2) (strides v2)
               Hm HM Hd Hlen)].
  apply affine_same. intros i. unfold v1. rewrite three_axes_read by assumption.
  rewrite Hequal, (Z.mul_comm M m). unfold index. ring.
Qed.
