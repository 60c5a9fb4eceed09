(** * Single overflows

    A level of a view obeys the equation of a single overflow, sigma_(j-1) = s_j sigma_j, exactly if
    its jump is 0; then the level has no effect. The other levels are the *broken* ones. If none of
    them ever overflows, the chain is one view ([single_overflows_suffice]): overflows of several
    digits need not be considered. If the jumps of the broken levels that do overflow have no
    relation, it is one view only then ([broken_without_relation]).

    Example: (10,3,3):(9,3,1) seen through (4):(4) has the jumps 0 and 0: it is contiguous, and one view
    through any view. It does not matter that its floors are not affine. Relations among all levels
    would not show this, since a jump of 0 is a relation by itself ([premise_fails]). *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Criterion Staircase Floors Levels.
Import ListNotations.
Open Scope Z_scope.

(** The levels whose jump is not 0. *)
Definition broken (ls : list (Z * Z)) : list (Z * Z) := filter (fun l => negb (snd l =? 0)) ls.

Lemma jumps_broken : forall ls n, jumps (broken ls) n = jumps ls n.
Proof.
  induction ls as [|[m d] ls IH]; intros n; [reflexivity|]. unfold broken in *. cbn [filter snd].
  destruct (Z.eqb_spec d 0) as [->|]; cbn [negb jumps]; rewrite IH; reflexivity || ring.
Qed.

Lemma seen_broken : forall base slope ls a t i,
  seen_through base slope (broken ls) a t i = seen_through base slope ls a t i.
Proof. intros. unfold seen_through, staircase. now rewrite jumps_broken. Qed.

Lemma broken_moduli : forall ls, moduli ls -> moduli (broken ls).
Proof.
  intros ls H. unfold moduli, broken in *. rewrite Forall_forall in *. intros l Hl.
  apply filter_In in Hl as [Hl _]. auto.
Qed.

(** Every level obeys the equation of a single overflow, or never overflows. Any rank, any
    strides, any sizes. *)
Theorem single_overflows_suffice : forall v1 v2,
  well_formed v1 -> well_formed v2 -> unmasked v1 -> unmasked v2 ->
  shape v1 <> [] -> composable [v1] v2 ->
  Forall (fun l => snd l = 0
                   \/ affine (box_of (shape v2)) (floor_at (offset v2) (strides v2) (fst l)))
         (view_levels v1) ->
  mergeable (shape v2) (stack [v1] v2).
Proof.
  intros v1 v2 W1 W2 U1 U2 Hr Hc H. apply mergeable_two_views; auto.
  eapply (proj1 (affine_same _ _ _ (seen_broken _ _ _ _ _))), levelwise_affine.
  unfold levelwise, broken. rewrite Forall_forall in *. intros l Hl. apply filter_In in Hl as [Hl Hb].
  destruct (H l Hl) as [E|A]; [|exact A]. rewrite E in Hb. discriminate.
Qed.

(** A contiguous view is one view with every view above it. *)
Corollary contiguous_merges : forall v1 v2,
  well_formed v1 -> well_formed v2 -> unmasked v1 -> unmasked v2 ->
  shape v1 <> [] -> composable [v1] v2 ->
  Forall (fun l => snd l = 0) (view_levels v1) -> mergeable (shape v2) (stack [v1] v2).
Proof.
  intros v1 v2 W1 W2 U1 U2 Hr Hc H. apply single_overflows_suffice; auto.
  eapply Forall_impl; [|exact H]. auto.
Qed.

(** (R) over the broken levels, as the library uses it. *)
Theorem broken_without_relation : forall v1 v2,
  well_formed v1 -> well_formed v2 -> unmasked v1 -> unmasked v2 ->
  shape v1 <> [] -> composable [v1] v2 ->
  ~ relation (map snd (not_affine (box_of (shape v2)) (offset v2) (strides v2)
                         (broken (view_levels v1)))) ->
  (mergeable (shape v2) (stack [v1] v2)
   <-> levelwise (box_of (shape v2)) (broken (view_levels v1)) (offset v2) (strides v2)).
Proof.
  intros v1 v2 W1 W2 U1 U2 Hr Hc Hno. rewrite mergeable_two_views by assumption.
  destruct (in_box_dec (box_of (shape v2)) (low (box_of (shape v2)))) as [Hi | Hempty].
  - rewrite <- (mergeable_iff_levelwise _ (offset v1) (last_stride v1) _ _ _); [| | |exact Hno].
    + apply affine_same. intros i. symmetry. apply seen_broken.
    + apply broken_moduli, levels_moduli. now apply (composable_positive v1 v2).
    + rewrite box_of_length. apply W2.
  - split; intros _; [apply Forall_forall; intros l _|]; now apply affine_on_empty_box.
Qed.

(** Over all levels the premise of [two_views_without_relation] fails here. *)
Example premise_fails :
  relation (map snd (not_affine (box_of [4]) 0 [4] (levels [10; 3; 3] [9; 3; 1]))).
Proof.
  exists [1; 0]. vm_compute. repeat split; try congruence.
  - repeat constructor; congruence.
  - constructor. congruence.
Qed.
