(** * The criterion with strides and composability

    A chain *is mergeable* if its views compose and some single view is the same function. In terms
    of steps, the criterion is that there is one number for each axis, which every step along the
    axis adds ([mergeability_criterion]). The numbers are the strides of the one view. Without
    padding that is all ([mergeability_criterion_unmasked]); two views compose if no position of
    the upper one is outside the lower one ([composable_two_views]).

    Example: (10,3,3):(8,1,2) seen through (5):(4) moves by 3 at each of its four steps; through
    (6):(4) the fifth step is 8, so no number fits all steps. *)

From Coq Require Import ZArith List Lia.
From Viewmerge Require Import Views Lists Criterion.
Import ListNotations.
Open Scope Z_scope.

Definition is_mergeable (below : list view) (top : view) : Prop :=
  composable below top /\ mergeable (shape top) (stack below top).

(** There are numbers, one for each axis, that the steps on a box add. *)
Definition has_strides (b : box) (f : list Z -> Z) : Prop :=
  exists a, length a = length b /\
    forall l i, (l < length b)%nat -> in_box b i -> in_box b (step i l) ->
      f (step i l) - f i = nth l a 0.

Lemma constant_increments_strides : forall b f, constant_increments b f <-> has_strides b f.
Proof.
  intros b f. split.
  - intros H. apply criterion in H as (o & a & Hl & Hf). exists a. split; [exact Hl|].
    intros l i Hlt Hi Hs. rewrite !Hf by assumption.
    rewrite dot_step by (erewrite in_box_length by eassumption; exact Hlt). lia.
  - intros (a & _ & H) l i j Hi Hi' Hj Hj' Hl. rewrite (H l i), (H l j); auto.
Qed.

(** Any number of views, padding included. *)
Theorem mergeability_criterion : forall below top,
  well_formed top ->
  is_mergeable below top <->
  composable below top
  /\ ((forall i, ~ defined (stack below top) i)
      \/ exists b, length b = length (shape top)
                   /\ (forall i, defined (stack below top) i <-> in_box b i)
                   /\ has_strides b (value (stack below top))).
Proof.
  intros below top H. unfold is_mergeable. rewrite (criterion_stack below top H).
  split; (intros [C [A | (b & Hl & Hd & Hc)]]; split; [exact C | left; exact A | exact C |];
          right; exists b; split; [exact Hl|]; split; [exact Hd|]);
    now apply constant_increments_strides.
Qed.

(** Any number of views without padding. *)
Theorem mergeability_criterion_unmasked : forall below top,
  Forall well_formed below -> well_formed top -> Forall unmasked below -> unmasked top ->
  is_mergeable below top <->
  composable below top /\ has_strides (box_of (shape top)) (value (stack below top)).
Proof.
  intros below top Hb Ht Ub Ut. unfold is_mergeable.
  split; intros [C H]; (split; [exact C|]).
  - apply constant_increments_strides. now apply criterion_chain in H.
  - apply criterion_chain; auto. now apply constant_increments_strides.
Qed.

(** Two views without padding compose if no position of the upper one is outside the lower one. *)
Lemma composable_two_views : forall v1 v2,
  unmasked v2 ->
  composable [v1] v2 <-> forall i, in_shape (shape v2) i -> 0 <= index v2 i < count (shape v1).
Proof.
  intros v1 v2 U. unfold unmasked in U. split.
  - intros H i Hi. apply (H i). split; [exact Hi | now rewrite U].
  - intros H i [Hi _]. split; [now apply H | intros _; exact I].
Qed.
