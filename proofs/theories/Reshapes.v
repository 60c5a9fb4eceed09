(** * Masks when an axis is cut, or two are joined

    An axis of a * b indices is written by the digits i, j of n = i * b + j, or two axes are joined into
    one. [fuse_sound] and [fuse_necessary] are about the strides; this file is about masks. A mask on the
    outer axis always survives joining ([quotient_between]); one on the inner axis does if one outer
    index is valid ([mask_combines_inner]). A mask survives cutting if its ends are multiples of the
    inner size ([mask_splits_aligned]), and only then if it crosses such a multiple
    ([mask_split_needs_alignment]).

    Example: of 6 indices 1 to 4 are valid. Over (2,3) the digits (0,1) (0,2) (1,0) (1,1) are: (0,2)
    and (1,0) are valid, (0,0) between them is not. *)

From Coq Require Import ZArith List Lia.
From Viewmerge Require Import Views Lists Staircase.
Import ListNotations.
Open Scope Z_scope.

Theorem mask_combines_inner : forall b k lo hi n,
  0 < b -> 0 <= lo -> hi <= b ->
  (n / b = k /\ lo <= n mod b < hi <-> k * b + lo <= n < k * b + hi).
Proof.
  intros b k lo hi n Hb Hlo Hhi.
  pose proof (Z.div_mod n b). pose proof (Z.mod_pos_bound n b). split.
  - intros [E M]. subst k. nia.
  - intros Hn. assert (E : n / b = k).
    { symmetry. apply (Z.div_unique n b k (n - k * b)); lia. }
    rewrite E in *. split; [reflexivity | lia].
Qed.

Theorem mask_splits_aligned : forall b lo hi i j,
  0 <= j < b -> (lo * b <= i * b + j < hi * b <-> lo <= i < hi).
Proof. intros b lo hi i j Hj. nia. Qed.

(** The digits (k, b - 1) and (k + 1, 0) are valid, so in a box (k, 0) and (k + 1, b - 1) are. *)
Theorem mask_split_needs_alignment : forall b k lo hi (p : list Z -> Prop),
  0 < b -> lo <= k * b + (b - 1) -> (k + 1) * b < hi ->
  (forall i j, 0 <= j < b -> (p [i; j] <-> lo <= i * b + j < hi)) ->
  is_box 2 p -> lo <= k * b /\ (k + 1) * b + (b - 1) < hi.
Proof.
  intros b k lo hi p Hb Hlo Hhi Hp (r & _ & Hr).
  assert (P : in_box r [k; b - 1]) by (apply Hr, Hp; nia).
  assert (Q : in_box r [k + 1; 0]) by (apply Hr, Hp; nia).
  destruct r as [| [a0 b0] [| [a1 b1] [| [a2 b2] r]]]; cbn [in_box] in P, Q; try lia; try tauto.
  assert (C1 : p [k; 0]) by (apply Hr; cbn [in_box]; tauto).
  assert (C2 : p [k + 1; b - 1]) by (apply Hr; cbn [in_box]; tauto).
  apply Hp in C1; [| lia]. apply Hp in C2; [| lia]. lia.
Qed.

(** The equation of a single carry, for two axes: the step over it is the step before it. *)
Theorem single_overflow : forall a b s0 s1 o m,
  0 < b ->
  (at_position (View [a; b] [s0; s1] o m) b - at_position (View [a; b] [s0; s1] o m) (b - 1) = s1
   <-> s0 = b * s1).
Proof.
  intros a b s0 s1 o m Hb. unfold at_position, index. cbn [shape strides offset unravel dot count fold_right].
  rewrite !Z.mul_1_r, !Z.div_1_r, Z_div_same_full, Z_mod_same_full, Z.div_small, Z.mod_small by lia.
  split; nia.
Qed.
