(** * A set of indices that is not a box has a hole

    A view's valid indices are a box. So a set is not the valid set of any view if it has
    a hole: two members and a non-member between them, that is, between the smaller and
    the larger of the two on every axis. A hole always exists: [not_box_hole].

    Example: the members (0,0), (0,1), (1,0) are not a box. The hole lies between
    (0,1) and (1,0): the index (1,1) is their componentwise maximum.

    The search makes one walk over the members. It keeps the lowest and the
    highest corner seen so far, and both are members: when a new member moves a
    corner to a non-member, that is a hole. Then the members are a box if and
    only if everything between the two corners is a member. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists.
Import ListNotations.
Open Scope Z_scope.

(** [z] lies in the box that [x] and [y] span. *)
Fixpoint between (x y z : list Z) : Prop :=
  match x, y, z with
  | [], [], [] => True
  | a :: x', b :: y', c :: z' => Z.min a b <= c <= Z.max a b /\ between x' y' z'
  | _, _, _ => False
  end.

(** Two members and a non-member between them. *)
Definition hole (p : list Z -> bool) (x y z : list Z) : Prop :=
  p x = true /\ p y = true /\ p z = false /\ between x y z.

(** A box contains everything between two of its indices. *)
Lemma box_between : forall b x y z, in_box b x -> in_box b y -> between x y z -> in_box b z.
Proof.
  induction b as [|[lo hi] b IH]; intros [|a x] [|c y] [|d z]; simpl; try tauto.
  intros [Hx Hx'] [Hy Hy'] [H H']. split; [lia | eauto].
Qed.

(** So a set with a hole is not a box. *)
Lemma hole_not_box : forall k p x y z, hole p x y z -> ~ is_box k (fun i => p i = true).
Proof.
  intros k p x y z (Hx & Hy & Hz & H) (b & _ & Hb).
  assert (p z = true); [|congruence].
  apply Hb. apply box_between with x y; auto; now apply Hb.
Qed.

(** ** Corners *)

Fixpoint lower (x y : list Z) : list Z :=
  match x, y with
  | a :: x', b :: y' => Z.min a b :: lower x' y'
  | _, _ => []
  end.

Fixpoint upper (x y : list Z) : list Z :=
  match x, y with
  | a :: x', b :: y' => Z.max a b :: upper x' y'
  | _, _ => []
  end.

(** Smaller or equal on every axis. *)
Definition le_all : list Z -> list Z -> Prop := Forall2 Z.le.

Lemma le_all_refl : forall x, le_all x x.
Proof. induction x; constructor; [lia | assumption]. Qed.

Lemma le_all_trans : forall x y z, le_all x y -> le_all y z -> le_all x z.
Proof.
  intros x y z H. revert z.
  induction H; intros z Hz; inversion Hz; subst; constructor; [lia|].
  apply IHForall2. assumption.
Qed.

Lemma le_all_length : forall x y, le_all x y -> length x = length y.
Proof. induction 1; simpl; auto. Qed.

Lemma lower_le : forall x y, length x = length y -> le_all (lower x y) x /\ le_all (lower x y) y.
Proof.
  induction x as [|a x IH]; intros [|b y] H; simpl in *; try discriminate.
  - split; constructor.
  - destruct (IH y ltac:(lia)). split; constructor; auto; lia.
Qed.

Lemma upper_le : forall x y, length x = length y -> le_all x (upper x y) /\ le_all y (upper x y).
Proof.
  induction x as [|a x IH]; intros [|b y] H; simpl in *; try discriminate.
  - split; constructor.
  - destruct (IH y ltac:(lia)). split; constructor; auto; lia.
Qed.

Lemma between_lower : forall x y, length x = length y -> between x y (lower x y).
Proof.
  induction x as [|a x IH]; intros [|b y] H; simpl in *; try discriminate; auto.
  split; [lia | auto].
Qed.

Lemma between_upper : forall x y, length x = length y -> between x y (upper x y).
Proof.
  induction x as [|a x IH]; intros [|b y] H; simpl in *; try discriminate; auto.
  split; [lia | auto].
Qed.

(** The box from a low corner to a high corner, both included. *)
Fixpoint span (m h : list Z) : box :=
  match m, h with
  | a :: m', b :: h' => (a, b + 1) :: span m' h'
  | _, _ => []
  end.

Lemma span_length : forall m h, length m = length h -> length (span m h) = length m.
Proof. induction m as [|a m IH]; intros [|b h] H; simpl in *; try discriminate; auto. Qed.

Lemma in_span : forall m h z,
  length m = length h -> (in_box (span m h) z <-> le_all m z /\ le_all z h).
Proof.
  induction m as [|a m IH]; intros [|b h] [|c z] H; simpl in *; try discriminate.
  - split; auto; intros _; split; constructor.
  - split; [tauto | intros [F _]; inversion F].
  - split; [tauto | intros [F _]; inversion F].
  - rewrite IH by lia. split.
    + intros [Hc [H1 H2]]. split; constructor; auto; lia.
    + intros [H1 H2]. inversion H1; inversion H2; subst. split; [lia | auto].
Qed.

Lemma between_span : forall m h z, le_all m h -> in_box (span m h) z -> between m h z.
Proof.
  intros m h z H. revert z.
  induction H as [|a b m h Hab H IH]; intros [|c z]; simpl; try tauto.
  intros [Hc Hz]. split; [lia | auto].
Qed.

Fixpoint same_index (x y : list Z) : bool :=
  match x, y with
  | [], [] => true
  | a :: x', b :: y' => if a =? b then same_index x' y' else false
  | _, _ => false
  end.

Lemma same_index_spec : forall x y, same_index x y = true -> x = y.
Proof.
  induction x as [|a x IH]; intros [|b y]; simpl; try discriminate; auto.
  destruct (Z.eqb_spec a b) as [->|]; [|discriminate]. intros H. now rewrite (IH y H).
Qed.

(** ** The search *)

(** The corners of the members [l], starting from two corners that are members;
    or a hole. A corner that has not moved need not be checked again. *)
Fixpoint corners (p : list Z -> bool) (m h : list Z) (l : list (list Z))
  : (list Z * list Z * list Z) + (list Z * list Z) :=
  match l with
  | [] => inr (m, h)
  | y :: l' =>
      let m' := lower m y in
      let h' := upper h y in
      if (if same_index m' m then true else p m')
      then if (if same_index h' h then true else p h')
           then corners p m' h' l'
           else inl (h, y, h')
      else inl (m, y, m')
  end.

Lemma corners_correct : forall p l m h k,
  p m = true -> p h = true -> length m = k -> length h = k ->
  (forall y, In y l -> p y = true /\ length y = k) ->
  match corners p m h l with
  | inl (x, y, z) => hole p x y z
  | inr (m', h') =>
      p m' = true /\ p h' = true /\ le_all m' m /\ le_all h h'
      /\ forall y, In y l -> le_all m' y /\ le_all y h'
  end.
Proof.
  intros p l. induction l as [|y l IH]; intros m h k Hm Hh Lm Lh Hl; simpl.
  { repeat split; auto using le_all_refl; contradiction. }
  destruct (Hl y (or_introl eq_refl)) as [Hy Ly].
  destruct (lower_le m y ltac:(congruence)) as [Lo1 Lo2].
  destruct (upper_le h y ltac:(congruence)) as [Up1 Up2].
  destruct (if same_index (lower m y) m then true else p (lower m y)) eqn:Em.
  2: { destruct (same_index (lower m y) m); [discriminate|].
       repeat split; auto. apply between_lower. congruence. }
  destruct (if same_index (upper h y) h then true else p (upper h y)) eqn:Eh.
  2: { destruct (same_index (upper h y) h); [discriminate|].
       repeat split; auto. apply between_upper. congruence. }
  assert (Pm : p (lower m y) = true).
  { destruct (same_index (lower m y) m) eqn:E; [|exact Em].
    apply same_index_spec in E. now rewrite E. }
  assert (Ph : p (upper h y) = true).
  { destruct (same_index (upper h y) h) eqn:E; [|exact Eh].
    apply same_index_spec in E. now rewrite E. }
  specialize (IH (lower m y) (upper h y) k Pm Ph).
  rewrite (le_all_length _ _ Lo1), <- (le_all_length _ _ Up1) in IH.
  specialize (IH Lm Lh (fun z Hz => Hl z (or_intror Hz))).
  destruct (corners p (lower m y) (upper h y) l) as [[[x y'] z]|[m' h']]; auto.
  destruct IH as (P1 & P2 & L1 & L2 & H).
  split; [exact P1|]. split; [exact P2|].
  split; [eapply le_all_trans; eauto|]. split; [eapply le_all_trans; eauto|].
  intros z [<-|Hz]; [|now apply H].
  split; eapply le_all_trans; eauto.
Qed.

(** A hole of the listed members, or the box they are. *)
Definition box_or_hole (p : list Z -> bool) (members : list (list Z))
  : (list Z * list Z * list Z) + box :=
  match members with
  | [] => inr []
  | first :: rest =>
      match corners p first first rest with
      | inl h => inl h
      | inr (m, h) =>
          match find (fun z => negb (p z)) (indices (span m h)) with
          | Some z => inl (m, h, z)
          | None => inr (span m h)
          end
      end
  end.

Lemma box_or_hole_correct : forall p members k,
  members <> [] ->
  (forall i, p i = true <-> In i members) ->
  (forall i, p i = true -> length i = k) ->
  match box_or_hole p members with
  | inl (x, y, z) => hole p x y z
  | inr b => length b = k /\ forall i, p i = true <-> in_box b i
  end.
Proof.
  intros p members k Hne Hp Hk. destruct members as [|first rest]; [congruence|]. simpl.
  assert (Pf : p first = true) by (apply Hp; now left).
  assert (Hr : forall y, In y rest -> p y = true /\ length y = k).
  { intros y Hy. assert (p y = true) by (apply Hp; now right). auto. }
  pose proof (corners_correct p rest first first k Pf Pf (Hk _ Pf) (Hk _ Pf) Hr) as H.
  destruct (corners p first first rest) as [[[x y] z]|[m h]]; auto.
  destruct H as (Pm & Ph & Lm & Lh & H).
  assert (Hmh : le_all m h) by (eapply le_all_trans; eauto).
  assert (Hl : length m = length h) by now apply le_all_length.
  destruct (find (fun z => negb (p z)) (indices (span m h))) as [z|] eqn:F.
  - apply find_some in F as [Hz Fz]. apply in_indices in Hz. apply negb_true_iff in Fz.
    repeat split; auto. now apply between_span.
  - split; [rewrite span_length; auto|]. intros i. split.
    + intros Hi. apply in_span; [exact Hl|].
      apply Hp in Hi as [<-|Hi]; [auto | now apply H].
    + intros Hi. apply in_indices in Hi. pose proof (find_none _ _ F i Hi) as Hn.
      now apply negb_false_iff in Hn.
Qed.

(** A non-empty decidable set within a shape is not a box if and only if it has a hole. *)
Theorem not_box_hole : forall s p,
  (forall i, p i = true -> in_shape s i) ->
  (exists i, p i = true) ->
  (~ is_box (length s) (fun i => p i = true) <-> exists x y z, hole p x y z).
Proof.
  intros s p Hin (i & Hi). split.
  - intros Hnot. set (members := filter p (indices (box_of s))).
    assert (Hm : forall j, p j = true <-> In j members).
    { intros j. unfold members. rewrite filter_In, in_indices.
      split; [|tauto]. intros Hj. split; [now apply Hin | exact Hj]. }
    assert (Hne : members <> []).
    { intros E. apply Hm in Hi. now rewrite E in Hi. }
    pose proof (box_or_hole_correct p members (length s) Hne Hm
                  (fun j Hj => in_shape_length s j (Hin j Hj))) as H.
    destruct (box_or_hole p members) as [[[x y] z]|b].
    + now exists x, y, z.
    + exfalso. apply Hnot. exists b. exact H.
  - intros (x & y & z & H). eapply hole_not_box, H.
Qed.

(** The same for every set, including the empty one: that is a box if the shape has an
    axis; otherwise it is [Nothing]. *)
Corollary box_or_hole_or_empty : forall s p,
  (forall i, p i = true -> in_shape s i) ->
  (forall i, p i = false)
  \/ is_box (length s) (fun i => p i = true)
  \/ exists x y z, hole p x y z.
Proof.
  intros s p Hin. destruct (filter p (indices (box_of s))) as [|first rest] eqn:E.
  - left. intros i. destruct (p i) eqn:Hi; auto. exfalso.
    assert (F : In i (filter p (indices (box_of s)))).
    { apply filter_In. rewrite in_indices. split; [now apply Hin | exact Hi]. }
    now rewrite E in F.
  - right. assert (Hm : forall j, p j = true <-> In j (first :: rest)).
    { intros j. rewrite <- E, filter_In, in_indices.
      split; [|tauto]. intros Hj. split; [now apply Hin | exact Hj]. }
    pose proof (box_or_hole_correct p (first :: rest) (length s) ltac:(discriminate) Hm
                  (fun j Hj => in_shape_length s j (Hin j Hj))) as H.
    destruct (box_or_hole p (first :: rest)) as [[[x y] z]|b].
    + right. now exists x, y, z.
    + left. exists b. exact H.
Qed.
