(** * Examples worth knowing

    Small chains of views that refute plausible guesses:

    - [not_associative]: views that do not merge in pairs may merge as a whole. So a chain
      cannot be decided pair by pair.
    - [need_not_increase]: two views with positive strides can compose to
      a function that is not increasing.
    - [worked_example_any_length]: how the conditions on strides grow with the
      length of an axis. Through a stride of 4, a view of shape (B,3,3) merges
      with no condition up to length 3, with one at lengths 4 and 5, and with
      two from length 6 on.
    - [accidental_every_length], [accidental_equal_every_length]: two levels whose floors
      are not affine, and whose jumps cancel at every length. *)

From Coq Require Import ZArith List Lia.
From Viewmerge Require Import Views Lists Criterion Staircase Accidental.
Import ListNotations.
Open Scope Z_scope.

(** ** Helpers *)

(** Proves that concrete views are well formed. *)
Ltac concrete_view := split; [repeat constructor; cbn; lia | split; [reflexivity | exact I]].

(** Replaces floors of concrete numbers by their values. *)
Ltac compute_floors :=
  repeat match goal with
  | |- context [?t * ?i / ?m] =>
      let q := eval compute in (t * i / m) in change (t * i / m) with q
  | H : context [?t * ?i / ?m] |- _ =>
      let q := eval compute in (t * i / m) in change (t * i / m) with q in H
  end.

(** A chain without padding is a view that reads the same. *)
Lemma merges_to : forall below top t o,
  Forall well_formed below -> Forall unmasked below -> unmasked top ->
  composable below top ->
  (forall i, in_shape (shape top) i -> descend below (index top i) = o + dot t i) ->
  same_function (view_reading (View (shape top) t o All)) (stack below top).
Proof.
  intros below top t o Hw Hu Ht Hc Hf.
  pose proof (stack_defined_unmasked below top Hw Hu Ht Hc) as Hd.
  assert (Hv : forall i, valid (View (shape top) t o All) i <-> in_shape (shape top) i)
    by (intros i; unfold valid; cbn; tauto).
  split; intros i; cbn [view_reading defined value].
  - rewrite Hv. symmetry. apply Hd.
  - intros Hi. apply Hv in Hi. symmetry. now apply Hf.
Qed.

(** Two views, the upper one with a single axis: merging is being affine in one variable. *)
Lemma merge_one_axis : forall v1 n t o,
  well_formed v1 -> unmasked v1 -> 0 <= n -> composable [v1] (View [n] [t] o All) ->
  (mergeable [n] (stack [v1] (View [n] [t] o All))
   <-> exists c y, forall x, 0 <= x < n -> at_position v1 (o + t * x) = c + y * x).
Proof.
  intros v1 n t o W U Hn Hc.
  change [n] with (shape (View [n] [t] o All)) at 1.
  rewrite criterion_two_views by (assumption || reflexivity || concrete_view).
  rewrite <- criterion. cbn [shape box_of map].
  assert (E : forall x, index (View [n] [t] o All) [x] = o + t * x)
    by (intros x; unfold index; cbn [offset strides dot]; ring).
  split.
  - intros (c & a & Hl & Hf). destruct a as [|y [|]]; try discriminate.
    exists c, y. intros x Hx. rewrite <- E, (Hf [x]) by (cbn; lia). cbn. ring.
  - intros (c & y & Hf). exists c, [y]. split; [reflexivity|].
    intros [|x [|]] Hi; cbn in Hi; try tauto. rewrite E, Hf by tauto. cbn. ring.
Qed.

(** Composable, if the first and the last position of the axis are in range. *)
Lemma composable_one_axis : forall v1 n t o, 0 <= t -> 0 <= o ->
  o + t * (n - 1) < count (shape v1) -> composable [v1] (View [n] [t] o All).
Proof.
  intros v1 n t o Ht Ho Hlast i [Hi _].
  destruct i as [|x [|]]; cbn in Hi; try tauto.
  split; [unfold index; cbn; nia | exact (fun _ => I)].
Qed.

(** ** Merging is not associative *)

(** r is a 4 by 2 matrix, read as if it were stored by columns: at the linear
    positions 0, 1, 2, ... it reads 0 4 1 5 2 6 3 7. Twice this gives
    0 2 4 6 1 3 5 7, which is not a view of shape (4,2): its rows start at 0, 4, 1
    and 5. Three times give 0 1 2 3 4 5 6 7: (4,2):(2,1). *)
Definition r : view := View [4; 2] [1; 4] 0 All.

Lemma r_indices : forall i, in_shape [4; 2] i ->
  In i [[0; 0]; [0; 1]; [1; 0]; [1; 1]; [2; 0]; [2; 1]; [3; 0]; [3; 1]].
Proof.
  intros [|x [|y [|]]] H; cbn in H; try tauto. cbn.
  assert (x = 0 \/ x = 1 \/ x = 2 \/ x = 3) as [-> | [-> | [-> | ->]]] by lia;
    assert (y = 0 \/ y = 1) as [-> | ->] by lia; tauto.
Qed.

Ltac each_index H := apply r_indices in H; cbn [In] in H; repeat destruct H as [<- | H].

Lemma r_well_formed : well_formed r.
Proof. concrete_view. Qed.

Lemma r_composable_twice : composable [r] r.
Proof. intros i [H _]. each_index H; [..|contradiction]; cbn; lia. Qed.

Lemma r_composable_thrice : composable [r; r] r.
Proof.
  intros i [H _].
  each_index H; [..|contradiction]; (split; [cbn; lia | intros _; split; [cbn; lia | easy]]).
Qed.

Theorem not_associative :
  ~ mergeable [4; 2] (stack [r] r)
  /\ same_function (view_reading (View [4; 2] [2; 1] 0 All)) (stack [r; r] r)
  /\ mergeable [4; 2] (stack [r; r] r).
Proof.
  assert (Hthree : same_function (view_reading (View [4; 2] [2; 1] 0 All)) (stack [r; r] r)).
  { apply (merges_to [r; r] r [2; 1] 0);
      auto using r_well_formed, r_composable_thrice; try reflexivity.
    - repeat constructor.
    - intros i H. each_index H; [..|contradiction]; reflexivity. }
  split; [|split; [exact Hthree|]].
  - intros H. apply (criterion_two_views r r) in H;
      auto using r_well_formed, r_composable_twice; try reflexivity.
    (* the steps from row 0 to row 1 and from row 1 to row 2 *)
    specialize (H 0%nat [0; 0] [1; 0]). cbn in H. lia.
  - exists (View [4; 2] [2; 1] 0 All). split; [concrete_view|]. split; [reflexivity | exact Hthree].
Qed.

(** ** A composition need not increase *)

(** All strides are positive, and still the values go 0, 2, 1, 3. *)
Example need_not_increase :
  let v1 := View [2; 2] [1; 2] 0 All in
  let v2 := View [4] [1] 0 All in
  map (value (stack [v1] v2)) [[0]; [1]; [2]; [3]] = [0; 2; 1; 3].
Proof. reflexivity. Qed.

(** ** The worked example: (B,3,3) through stride 4 *)

(** v1 = (B,3,3):(x,y,z) + o reads z n + (x - 3 y) (n / 9) + (y - 3 z) (n / 3)
    at position n, plus o. Through (s):(4) the floors are

<<
      i            0   1   2   3   4   5   6   7
      4 i / 3      0   1   2   4   5   6   8   9
      4 i / 9      0   0   0   1   1   2   2   3
>>

    The first steps add 1 and 0. The step to i = 3 adds 2 and 1, which is the same
    only if the jumps cancel: (x - 3 y) + (y - 3 z) = 0. The step to i = 5 adds
    1 and 1, so that x - 3 y = 0 as well; and then no jump is left. *)

Theorem worked_example_any_length : forall B s x y z o,
  0 <= B -> 0 <= s -> 4 * (s - 1) < 9 * B ->
  let v1 := View [B; 3; 3] [x; y; z] o All in
  let v2 := View [s] [4] 0 All in
  composable [v1] v2
  /\ (s <= 3 -> mergeable [s] (stack [v1] v2))
  /\ (4 <= s <= 5 -> (mergeable [s] (stack [v1] v2) <-> x = 2 * y + 3 * z))
  /\ (6 <= s -> (mergeable [s] (stack [v1] v2) <-> x = 2 * y + 3 * z /\ x = 3 * y)).
Proof.
  intros B s x y z o HB Hs Hlast v1 v2.
  assert (Hc : composable [v1] v2)
    by (apply composable_one_axis; cbn [shape v1 count fold_right]; lia).
  assert (Hm : mergeable [s] (stack [v1] v2)
    <-> exists c k, forall i, 0 <= i < s ->
          o + z * (4 * i) + (x - 3 * y) * (4 * i / 9) + (y - 3 * z) * (4 * i / 3) = c + k * i).
  { unfold v2. rewrite merge_one_axis by (assumption || reflexivity || concrete_view).
    split; intros (c & k & H); exists c, k; intros i Hi; specialize (H i Hi);
      unfold v1 in *; rewrite three_axes_read in * by lia; exact H. }
  rewrite Hm. split; [exact Hc|]. split; [|split].
  - intros H3. exists o, (z * 4 + (y - 3 * z)). intros i Hi.
    assert (i = 0 \/ i = 1 \/ i = 2) as [-> | [-> | ->]] by lia; compute_floors; lia.
  - intros H4. split.
    + intros (c & k & H).
      pose proof (H 0 ltac:(lia)) as H0. pose proof (H 1 ltac:(lia)) as H1.
      pose proof (H 3 ltac:(lia)) as E3. clear H. compute_floors. lia.
    + intros ->. exists o, (z * 4 + (y - 3 * z)). intros i Hi.
      assert (i = 0 \/ i = 1 \/ i = 2 \/ i = 3 \/ i = 4) as [-> | [-> | [-> | [-> | ->]]]] by lia;
        compute_floors; lia.
  - intros H6. split.
    + intros (c & k & H).
      pose proof (H 0 ltac:(lia)) as H0. pose proof (H 1 ltac:(lia)) as H1.
      pose proof (H 3 ltac:(lia)) as E3. pose proof (H 5 ltac:(lia)) as E5.
      clear H. compute_floors. lia.
    + intros [Hx ->]. exists o, (z * 4). intros i Hi.
      replace y with (3 * z) by lia. ring.
Qed.

(** With B = 10 there are 90 elements, and the lengths that compose are 0 to 23. *)
Corollary worked_example : forall s x y z,
  0 <= s <= 23 ->
  let v1 := View [10; 3; 3] [x; y; z] 0 All in
  let v2 := View [s] [4] 0 All in
  composable [v1] v2
  /\ (s <= 3 -> mergeable [s] (stack [v1] v2))
  /\ (4 <= s <= 5 -> (mergeable [s] (stack [v1] v2) <-> x = 2 * y + 3 * z))
  /\ (6 <= s -> (mergeable [s] (stack [v1] v2) <-> x = 2 * y + 3 * z /\ x = 3 * y)).
Proof. intros s x y z Hs. apply worked_example_any_length; lia. Qed.

(** The longest: at length 24 the last position is 92, beyond the 90 elements. *)
Example worked_example_longest : forall x y z,
  ~ composable [View [10; 3; 3] [x; y; z] 0 All] (View [24] [4] 0 All).
Proof.
  intros x y z H. specialize (H [23]). destruct H as [H _]; [|cbn in H; lia].
  split; [cbn; lia | exact I].
Qed.

(** ** Overflows that cancel for ever *)

(** Shape (B,3,4) through stride 6 with opposite jumps: neither n / 4 nor n / 12
    is affine, from length 3 on, but their difference is always i. *)
Theorem accidental_every_length : forall B s x y z o,
  0 <= B -> 0 <= s -> 6 * (s - 1) < 12 * B ->
  x - 3 * y = - (y - 4 * z) ->
  let v1 := View [B; 3; 4] [x; y; z] o All in
  let v2 := View [s] [6] 0 All in
  composable [v1] v2
  /\ same_function (view_reading (View [s] [y + 2 * z] o All)) (stack [v1] v2)
  /\ mergeable [s] (stack [v1] v2).
Proof.
  intros B s x y z o HB Hs Hlast Hjumps v1 v2.
  assert (Hc : composable [v1] v2)
    by (apply composable_one_axis; cbn [shape v1 count fold_right]; lia).
  assert (W1 : well_formed v1) by concrete_view.
  assert (F : same_function (view_reading (View [s] [y + 2 * z] o All)) (stack [v1] v2)).
  { apply (merges_to [v1] v2); auto; [repeat constructor | reflexivity |].
    intros [|i [|]] Hi; cbn in Hi; try tauto.
    replace (index v2 [i]) with (6 * i) by (unfold index; cbn [offset strides v2 dot]; ring).
    cbn [descend]. unfold v1. rewrite three_axes_read by lia.
    assert (D : 6 * i / 4 - 6 * i / (4 * 3) = i).
    { apply (accidental_opposite (6 * i) 4 3 i); [lia | lia |].
      Z.div_mod_to_equations. lia. }
    change (4 * 3) with (3 * 4) in D.
    rewrite Hjumps. cbn [dot]. nia. }
  split; [exact Hc|]. split; [exact F|].
  exists (View [s] [y + 2 * z] o All). split; [concrete_view|]. split; [reflexivity | exact F].
Qed.

(** Neither of the two floors is affine there. *)
Example accidental_floors_not_affine : forall s m, 3 <= s -> m = 4 \/ m = 12 ->
  ~ affine (box_of [s]) (fun i => 6 * nth 0 i 0 / m).
Proof.
  intros s m Hs Hm (o & [|y [|]] & Hl & H); try discriminate.
  pose proof (H [0] ltac:(cbn; lia)) as H0. pose proof (H [1] ltac:(cbn; lia)) as H1.
  pose proof (H [2] ltac:(cbn; lia)) as H2.
  destruct Hm as [-> | ->]; cbn in H0, H1, H2; lia.
Qed.

(** Equal jumps can cancel too: shape (B,5,3) through stride 5 from position 2,
    where the sum n / 3 + n / 15 is always 2 i. *)
Theorem accidental_equal_every_length : forall B s x y z o,
  0 <= B -> 0 <= s -> 2 + 5 * (s - 1) < 15 * B ->
  x - 5 * y = y - 3 * z ->
  let v1 := View [B; 5; 3] [x; y; z] o All in
  let v2 := View [s] [5] 2 All in
  composable [v1] v2
  /\ same_function (view_reading (View [s] [2 * y - z] (o + 2 * z) All)) (stack [v1] v2)
  /\ mergeable [s] (stack [v1] v2).
Proof.
  intros B s x y z o HB Hs Hlast Hjumps v1 v2.
  assert (Hc : composable [v1] v2)
    by (apply composable_one_axis; cbn [shape v1 count fold_right]; lia).
  assert (W1 : well_formed v1) by concrete_view.
  assert (F : same_function (view_reading (View [s] [2 * y - z] (o + 2 * z) All)) (stack [v1] v2)).
  { apply (merges_to [v1] v2); auto; [repeat constructor | reflexivity |].
    intros [|i [|]] Hi; cbn in Hi; try tauto.
    replace (index v2 [i]) with (2 + 5 * i) by (unfold index; cbn [offset strides v2 dot]; ring).
    cbn [descend]. unfold v1. rewrite three_axes_read by lia.
    assert (D : (2 + 5 * i) / 3 + (2 + 5 * i) / (3 * 5) = 2 * i).
    { apply (accidental_equal (2 + 5 * i) 3 5 (2 * i)); [lia | lia |].
      Z.div_mod_to_equations. lia. }
    change (3 * 5) with (5 * 3) in D.
    rewrite Hjumps. cbn [dot]. nia. }
  split; [exact Hc|]. split; [exact F|].
  exists (View [s] [2 * y - z] (o + 2 * z) All).
  split; [concrete_view|]. split; [reflexivity | exact F].
Qed.
