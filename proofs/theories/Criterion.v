(** * The criterion: a chain is one view exactly when its increments are constant

    A view adds its stride of axis [l] whenever axis [l] of the index grows by
    one, wherever the index is. The criterion is that nothing else matters: a function on
    a box is affine if and only if, along every axis, one step always adds the same. The
    same holds for any chain, and the strides of that view are the increments at the low
    corner.

    Example: (10,3,3):(8,1,2) seen through (6):(4) reads 0, 3, 6, 9, 12, 20. The
    increments are 3, 3, 3, 3, 8, so it is not one view; through (5):(4) it is
    (5):(3).

    With padding the valid indices must be a box too, and only the increments on that box
    matter ([criterion_masked]). *)

From Coq Require Import ZArith List Lia.
From Viewmerge Require Import Views Lists.
Import ListNotations.
Open Scope Z_scope.

(** ** Functions on a box *)

Lemma affine_constant_increments : forall b f, affine b f -> constant_increments b f.
Proof.
  intros b f (o & a & _ & H) l i j Hi Hi' Hj Hj' Hl.
  rewrite !H by assumption.
  rewrite !dot_step; [lia | |]; erewrite in_box_length by eassumption; exact Hl.
Qed.

(** The increments at the low corner; 0 on an axis with a single index. *)
Fixpoint corner_strides (b : box) (f : list Z -> Z) : list Z :=
  match b with
  | [] => []
  | (lo, hi) :: b' =>
      (if lo + 1 <? hi then f ((lo + 1) :: low b') - f (lo :: low b') else 0)
      :: corner_strides b' (fun i => f (lo :: i))
  end.

Lemma corner_strides_length : forall b f, length (corner_strides b f) = length b.
Proof. induction b as [|[lo hi] b IH]; intros f; simpl; auto. Qed.

(** Constant increments on a box are constant increments on the slice at its first low index. *)
Lemma constant_increments_slice : forall lo hi b f,
  lo < hi -> constant_increments ((lo, hi) :: b) f ->
  constant_increments b (fun i => f (lo :: i)).
Proof.
  intros lo hi b f Hlt H l i j Hi Hi' Hj Hj' Hl.
  apply (H (S l) (lo :: i) (lo :: j)); simpl; repeat split; auto; lia.
Qed.

(** Walking along the first axis adds the same at every step. *)
Lemma constant_increments_walk : forall lo hi b f,
  constant_increments ((lo, hi) :: b) f ->
  forall i, in_box b i ->
  forall n, 0 <= n -> lo + n < hi ->
  f ((lo + n) :: i) = f (lo :: i) + n * (f ((lo + 1) :: low b) - f (lo :: low b)).
Proof.
  intros lo hi b f H i Hi n Hn. pattern n. apply natlike_ind; [| |exact Hn].
  - intros _. rewrite Z.add_0_r. lia.
  - intros m Hm IH Hlt. unfold Z.succ in *. specialize (IH ltac:(lia)).
    pose proof (box_low_in b i Hi) as Hlow.
    assert (E : f (step ((lo + m) :: i) 0) - f ((lo + m) :: i)
                = f (step (lo :: low b) 0) - f (lo :: low b))
      by (apply H; simpl; repeat split; auto; lia).
    simpl in E. replace (lo + (m + 1)) with (lo + m + 1) by ring. lia.
Qed.

(** A function with constant increments is determined at its low corner. *)
Lemma corner_affine : forall b f,
  constant_increments b f ->
  affine_on b f (f (low b) - dot (corner_strides b f) (low b)) (corner_strides b f).
Proof.
  induction b as [|[lo hi] b IH]; intros f H; split; try apply corner_strides_length.
  - intros i Hi. apply in_box_nil in Hi as ->. simpl. lia.
  - intros [|x i] Hi; [easy|]. apply in_box_cons in Hi as [Hx Hi].
    pose proof (IH _ (constant_increments_slice lo hi b f ltac:(lia) H)) as [_ Hs].
    specialize (Hs i Hi). cbv beta in Hs.
    pose proof (constant_increments_walk lo hi b f H i Hi (x - lo) ltac:(lia) ltac:(lia)) as Hw.
    replace (lo + (x - lo)) with x in Hw by ring. simpl.
    destruct (Z.ltb_spec (lo + 1) hi); [nia|].
    replace (x - lo) with 0 in Hw by lia. lia.
Qed.

(** A function on a box is affine if and only if its increments are constant. *)
Theorem criterion : forall b f, affine b f <-> constant_increments b f.
Proof.
  intros b f. split.
  - apply affine_constant_increments.
  - intros H. eexists _, _. now apply corner_affine.
Qed.

Lemma affine_same : forall b f g, (forall i, f i = g i) -> (affine b f <-> affine b g).
Proof.
  intros b f g E. split; intros (o & a & Hl & H); exists o, a; split; try exact Hl;
    intros i Hi; [rewrite <- E | rewrite E]; now apply H.
Qed.

(** If a function is affine, its increments at the low corner are its strides:
    any strides that agree with them, on the axes of extent 2 or more, give the function. *)
Theorem strides_at_low_corner : forall b f a,
  affine b f -> length a = length b ->
  (forall l, (l < length b)%nat -> 2 <= extent b l -> nth l a 0 = f (step (low b) l) - f (low b)) ->
  forall i, in_box b i -> f i = f (low b) + (dot a i - dot a (low b)).
Proof.
  intros b f a (o & a' & Hl' & H) Hl Ha i Hi.
  pose proof (box_low_in b i Hi) as Hlow.
  rewrite (dot_agree b a a' i (low b)); auto.
  - rewrite (H i), (H (low b)) by auto. lia.
  - intros l Hlt W. rewrite Ha by assumption.
    rewrite (H (low b)) by auto.
    rewrite (H (step (low b) l)) by now apply in_box_step_low.
    rewrite dot_step by now rewrite low_length. lia.
Qed.

(** The strides of an affine function are unique on the axes of extent 2 or more. *)
Theorem strides_unique : forall b f o a o' a' l,
  affine_on b f o a -> affine_on b f o' a' ->
  (exists i, in_box b i) -> (l < length b)%nat -> 2 <= extent b l ->
  nth l a 0 = nth l a' 0.
Proof.
  intros b f o a o' a' l [_ H] [_ H'] [i Hi] Hl W.
  pose proof (box_low_in b i Hi) as Hlow.
  pose proof (proj2 (in_box_step_low b l Hlow Hl) W) as Hstep.
  assert (E : o + dot a (low b) = o' + dot a' (low b)) by (rewrite <- H, <- H'; auto).
  assert (E' : o + dot a (step (low b) l) = o' + dot a' (step (low b) l))
    by (rewrite <- H, <- H'; auto).
  rewrite !dot_step in E' by now rewrite low_length. lia.
Qed.

(** ** Readings with padding *)

(** The valid indices of a view are none, or those of a box. *)
Lemma valid_box : forall v, well_formed v ->
  (forall i, ~ valid v i)
  \/ exists b, length b = length (shape v) /\ forall i, valid v i <-> in_box b i.
Proof.
  intros v (_ & _ & Hm). unfold valid, in_shape.
  destruct (mask v) as [|b|]; simpl.
  - right. exists (box_of (shape v)). split; [apply box_of_length | tauto].
  - right. exists (meet (box_of (shape v)) b).
    assert (E : length (box_of (shape v)) = length b) by now rewrite box_of_length.
    split; [now rewrite meet_length, box_of_length|].
    intros i. rewrite in_box_meet by exact E. tauto.
  - left. tauto.
Qed.

(** A partial function that is valid within a shape is one view of that shape
    if and only if it is nowhere valid, or valid on a box with constant increments on it. *)
Theorem criterion_masked : forall s f,
  Forall (fun n => 0 <= n) s ->
  (forall i, defined f i -> in_shape s i) ->
  mergeable s f <->
  (forall i, ~ defined f i)
  \/ exists b, length b = length s
               /\ (forall i, defined f i <-> in_box b i)
               /\ constant_increments b (value f).
Proof.
  intros s f Hs Hin. split.
  - intros (w & Hw & <- & Hd & Hv). simpl in Hd, Hv.
    destruct (valid_box w Hw) as [Hno | (b & Hb & Hbox)].
    + left. intros i Hi. apply (Hno i), Hd, Hi.
    + right. exists b. split; [exact Hb|]. split.
      * intros i. rewrite <- Hd. apply Hbox.
      * apply criterion. exists (offset w), (strides w). split.
        -- destruct Hw as (_ & Hw & _). congruence.
        -- intros i Hi. symmetry. now apply Hv, Hbox.
  - intros [Hno | (b & Hb & Hbox & Hc)].
    + exists (View s (repeat 0 (length s)) 0 Nothing).
      split; [now repeat split; simpl; auto using repeat_length|].
      split; [reflexivity|]. split; simpl; unfold valid; simpl; [|intros i [_ []]].
      intros i. specialize (Hno i). tauto.
    + apply criterion in Hc as (o & a & Ha & Hf).
      exists (View s a o (Box b)).
      split; [now repeat split; simpl; auto; congruence|].
      split; [reflexivity|]. split; simpl; unfold valid; simpl.
      * intros i. specialize (Hin i). rewrite <- Hbox. tauto.
      * intros i [_ Hi]. symmetry. now apply Hf.
Qed.

Lemma stack_in_shape : forall below top i,
  defined (stack below top) i -> in_shape (shape top) i.
Proof. intros below top i [[H _] _]. exact H. Qed.

(** The criterion for any chain, padding included. *)
Theorem criterion_stack : forall below top,
  well_formed top ->
  mergeable (shape top) (stack below top) <->
  (forall i, ~ defined (stack below top) i)
  \/ exists b, length b = length (shape top)
               /\ (forall i, defined (stack below top) i <-> in_box b i)
               /\ constant_increments b (value (stack below top)).
Proof.
  intros below top (Hs & _). apply criterion_masked; [exact Hs | apply stack_in_shape].
Qed.

(** ** Chains without padding *)

Definition unmasked (v : view) : Prop := mask v = All.

(** Views that compose and have no padding are valid wherever the last one is. *)
Lemma descend_valid_unmasked : forall below n,
  Forall well_formed below -> Forall unmasked below ->
  descend_composable below n -> descend_valid below n.
Proof.
  induction below as [|v rest IH]; intros n Hw Hu Hc; simpl in *; auto.
  inversion Hw as [|? ? Hv Hw']; inversion Hu as [|? ? Hm Hu']; subst.
  destruct Hc as [Hn Hc].
  assert (valid v (unravel (shape v) n)).
  { split; [apply unravel_in_shape; [apply Hv | exact Hn]|].
    unfold unmasked in Hm. rewrite Hm. exact I. }
  auto.
Qed.

Lemma stack_defined_unmasked : forall below top,
  Forall well_formed below -> Forall unmasked below -> unmasked top ->
  composable below top ->
  forall i, defined (stack below top) i <-> in_shape (shape top) i.
Proof.
  intros below top Hw Hu Ht Hc i. split; [apply stack_in_shape|].
  intros Hi. assert (valid top i) by (split; [exact Hi | rewrite Ht; exact I]).
  split; [assumption|]. apply descend_valid_unmasked; auto.
Qed.

(** Any number of views without padding. *)
Theorem criterion_chain : forall below top,
  Forall well_formed below -> well_formed top ->
  Forall unmasked below -> unmasked top ->
  composable below top ->
  mergeable (shape top) (stack below top) <->
  constant_increments (box_of (shape top)) (value (stack below top)).
Proof.
  intros below top Hwb Hwt Hub Hut Hc.
  pose proof (stack_defined_unmasked below top Hwb Hub Hut Hc) as Hd.
  split.
  - intros (w & Hw & Es & Hdef & Hval). apply criterion.
    exists (offset w), (strides w). split.
    + destruct Hw as (_ & Hl & _). now rewrite Hl, Es, box_of_length.
    + intros i Hi. symmetry. apply Hval. apply Hdef, Hd, Hi.
  - intros H. apply criterion_stack; [exact Hwt|]. right.
    exists (box_of (shape top)). split; [apply box_of_length|]. auto.
Qed.

(** Two views: what the lower one reads at the positions of the upper one. *)
Theorem criterion_two_views : forall v1 v2,
  well_formed v1 -> well_formed v2 -> unmasked v1 -> unmasked v2 ->
  composable [v1] v2 ->
  mergeable (shape v2) (stack [v1] v2) <->
  constant_increments (box_of (shape v2)) (fun i => at_position v1 (index v2 i)).
Proof. intros v1 v2 H1 H2 U1 U2 Hc. apply (criterion_chain [v1] v2); auto. Qed.
