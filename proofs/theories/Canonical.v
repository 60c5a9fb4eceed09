(** * Canonical views: equal exactly when they are the same function

    Different fields can describe the same function: the stride of an axis with
    one index cannot be observed, a mask that excludes no index has no effect, and a view
    that is never valid can have any strides. A canonical view settles each of these in
    one way. V1 to V6 are numbered as in the Rust type [View]; its bounds on numbers (V2
    and V7) play no role over the integers.

    Example: (3,4):(4,1) with mask [1:2,0:4] has one valid index along axis 0, so its
    canonical form is (3,4):(0,1)+4 with the same mask.

    [canonical_equal] says that canonical views of one shape are equal if and
    only if they are the same function; [canonicalize_correct] that every view
    has a canonical form. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Criterion.
Import ListNotations.
Open Scope Z_scope.

Definition zeros (s : list Z) : list Z := repeat 0 (length s).

(** The intervals of the valid indices; ignored where the mask is [Nothing]. *)
Definition bounds (v : view) : box :=
  match mask v with Box b => b | _ => box_of (shape v) end.

(** An interval that is not empty and lies within its axis. *)
Definition within (n : Z) (p : Z * Z) : Prop := 0 <= fst p < snd p /\ snd p <= n.

Record canonical (v : view) : Prop := {
  (** V1, V2: one stride and one interval for each axis, no negative size. *)
  canonical_well_formed : well_formed v;
  (** V3: a shape without elements has mask [All], strides 0 and offset 0. *)
  canonical_empty : count (shape v) = 0 ->
    mask v = All /\ strides v = zeros (shape v) /\ offset v = 0;
  (** V4: a view that is never valid has strides 0 and offset 0. *)
  canonical_nothing : mask v = Nothing ->
    strides v = zeros (shape v) /\ offset v = 0;
  (** V5: a box is not empty, lies within the shape and is smaller than it. *)
  canonical_box : forall b, mask v = Box b ->
    Forall2 within (shape v) b /\ b <> box_of (shape v);
  (** V6: an axis with a single valid index has stride 0. *)
  canonical_single : mask v <> Nothing ->
    forall l, (l < length (shape v))%nat -> extent (bounds v) l = 1 -> nth l (strides v) 0 = 0
}.

(** ** Boxes are determined by their indices *)

Lemma box_unique : forall b c,
  in_box b (low b) -> length b = length c ->
  (forall i, in_box b i <-> in_box c i) -> b = c.
Proof.
  induction b as [|[lo hi] b IH]; intros [|[lo' hi'] c] Hb Hl H; simpl in Hl;
    try discriminate; auto.
  simpl in Hb. destruct Hb as [Hlo Hb].
  assert (Hc : in_box c (low b)) by (apply (proj1 (H (lo :: low b))); simpl; auto).
  assert (Hx : forall x, lo <= x < hi <-> lo' <= x < hi').
  { intros x. specialize (H (x :: low b)). simpl in H. tauto. }
  assert (lo = lo' /\ hi = hi') as [-> ->].
  { pose proof (proj1 (Hx lo)). pose proof (proj1 (Hx (hi - 1))).
    pose proof (proj2 (Hx lo')). pose proof (proj2 (Hx (hi' - 1))). lia. }
  f_equal. apply IH; [exact Hb | lia |].
  intros i. specialize (H (lo' :: i)). simpl in H.
  tauto.
Qed.

(** ** What a canonical view's mask says *)

Lemma within_in_shape : forall s b i, Forall2 within s b -> in_box b i -> in_shape s i.
Proof.
  intros s b i H. revert i.
  induction H as [|n [lo hi] s b [H1 H2] H IH]; intros [|x i] Hi; simpl in *; try tauto.
  apply in_shape_cons. split; [lia | apply IH; tauto].
Qed.

Lemma within_length : forall s b, Forall2 within s b -> length b = length s.
Proof. induction 1; simpl; auto. Qed.

Lemma within_low : forall s b, Forall2 within s b -> in_box b (low b).
Proof.
  induction 1 as [|n [lo hi] s b [H1 H2] H IH]; simpl in *; auto. split; [lia | exact IH].
Qed.

Lemma box_of_low : forall s,
  Forall (fun n => 0 <= n) s -> count s <> 0 -> in_box (box_of s) (low (box_of s)).
Proof.
  intros s Hs Hc. pose proof (count_nonneg s Hs).
  apply in_box_low, Forall_map, count_pos_sizes; [exact Hs | lia].
Qed.

(** With elements and another mask than [Nothing], the valid indices are those of the bounds. *)
Lemma canonical_valid : forall v i,
  canonical v -> mask v <> Nothing -> (valid v i <-> in_box (bounds v) i).
Proof.
  intros v i Hv Hm. unfold valid, bounds, in_shape.
  destruct (mask v) as [|b|] eqn:E; simpl; [tauto | | congruence].
  destruct (canonical_box v Hv b E) as [Hw _].
  pose proof (within_in_shape _ _ i Hw). unfold in_shape in *. tauto.
Qed.

Lemma canonical_bounds_low : forall v,
  canonical v -> mask v <> Nothing -> count (shape v) <> 0 -> in_box (bounds v) (low (bounds v)).
Proof.
  intros v Hv Hm Hc. unfold bounds. destruct (mask v) as [|b|] eqn:E; [| |congruence].
  - apply box_of_low; [apply (canonical_well_formed v Hv) | exact Hc].
  - eapply within_low, (canonical_box v Hv b E).
Qed.

Lemma bounds_length : forall v, well_formed v -> length (bounds v) = length (shape v).
Proof.
  intros v (_ & _ & H). unfold bounds. destruct (mask v); auto using box_of_length.
Qed.

(** ** Equality *)

Lemma list_ext : forall a a' : list Z,
  length a = length a' -> (forall l, (l < length a)%nat -> nth l a 0 = nth l a' 0) -> a = a'.
Proof. intros. now apply nth_ext with 0 0. Qed.

(** Both have valid indices: bounds, strides and offset are read off the function. *)
Lemma canonical_equal_valid : forall v w,
  canonical v -> canonical w -> shape v = shape w -> count (shape v) <> 0 ->
  mask v <> Nothing -> mask w <> Nothing ->
  same_function (view_reading v) (view_reading w) -> v = w.
Proof.
  intros v w Hv Hw Es Hc Mv Mw [Hd Hval]. simpl in Hd, Hval.
  pose proof (canonical_well_formed v Hv) as Wv.
  pose proof (canonical_well_formed w Hw) as Ww.
  pose proof (canonical_bounds_low v Hv Mv Hc) as Hlow.
  assert (Lb : length (bounds v) = length (shape v)) by now apply bounds_length.
  assert (Eb : bounds v = bounds w).
  { apply box_unique; [exact Hlow | rewrite !bounds_length by assumption; now rewrite Es |].
    intros i. now rewrite <- !canonical_valid. }
  assert (Em : mask v = mask w).
  { unfold bounds in Eb.
    destruct (mask v) as [|b|] eqn:E1, (mask w) as [|c|] eqn:E2; try congruence.
    - destruct (canonical_box w Hw c E2) as [_ Hn]. rewrite Es in Eb. congruence.
    - destruct (canonical_box v Hv b E1) as [_ Hn]. rewrite Es in Hn. congruence. }
  assert (Av : affine_on (bounds v) (index v) (offset v) (strides v)).
  { split; [destruct Wv as (_ & -> & _); now rewrite Lb | reflexivity]. }
  assert (Aw : affine_on (bounds v) (index v) (offset w) (strides w)).
  { split; [destruct Ww as (_ & -> & _); now rewrite Lb, Es |].
    intros i Hi. apply Hval. now apply canonical_valid. }
  assert (Ea : strides v = strides w).
  { pose proof (proj1 Av) as Lv. pose proof (proj1 Aw) as Lw.
    apply list_ext; [congruence|]. intros l Hl. rewrite Lv in Hl.
    destruct (Z_le_gt_dec 2 (extent (bounds v) l)) as [W|N].
    - apply strides_unique with (bounds v) (index v) (offset v) (offset w); eauto.
    - assert (E1 : extent (bounds v) l = 1).
      { apply in_box_nth in Hlow as [_ Hx]. specialize (Hx l Hl). unfold extent in *. lia. }
      rewrite (canonical_single v Hv Mv l), (canonical_single w Hw Mw l); auto;
        rewrite <- ?Es, <- ?Eb; auto; congruence. }
  assert (Eo : offset v = offset w).
  { destruct Av as [_ Av], Aw as [_ Aw].
    specialize (Av _ Hlow). specialize (Aw _ Hlow). rewrite Ea in Av. lia. }
  destruct v, w; simpl in *. congruence.
Qed.

(** Canonical views of one shape are equal if and only if they are the same function. *)
Theorem canonical_equal : forall v w,
  canonical v -> canonical w -> shape v = shape w ->
  (v = w <-> same_function (view_reading v) (view_reading w)).
Proof.
  intros v w Hv Hw Es. split; [intros ->; split; tauto|]. intros H.
  destruct (Z.eq_dec (count (shape v)) 0) as [Hc|Hc].
  { destruct (canonical_empty v Hv Hc) as (M & A & O).
    destruct (canonical_empty w Hw) as (M' & A' & O'); [congruence|].
    destruct v, w; simpl in *. congruence. }
  assert (Hnot : forall x y, canonical x -> shape x = shape y -> count (shape x) <> 0 ->
            same_function (view_reading x) (view_reading y) ->
            mask y = Nothing -> mask x = Nothing).
  { intros x y Hx _ Cx [Hd _] My. simpl in Hd.
    destruct (mask x) as [|b|] eqn:Mx; auto; exfalso;
      assert (mask x <> Nothing) as Nx by congruence;
      pose proof (canonical_bounds_low x Hx Nx Cx) as Hl;
      apply (canonical_valid x _ Hx Nx), Hd in Hl as [_ Hl]; now rewrite My in Hl. }
  assert (Hsym : same_function (view_reading w) (view_reading v)).
  { destruct H as [Hd Hval]. split; [intros i; now rewrite Hd|].
    intros i Hi. symmetry. now apply Hval, Hd. }
  destruct (mask w) eqn:Mw.
  3: { pose proof (Hnot v w Hv Es Hc H Mw) as Mv.
       destruct (canonical_nothing v Hv Mv) as [A O], (canonical_nothing w Hw Mw) as [A' O'].
       destruct v, w; simpl in *. congruence. }
  all: apply canonical_equal_valid; auto; try congruence;
    intros Mv; rewrite (Hnot w v Hw) in Mw; try congruence; auto.
Qed.

(** ** Every view has a canonical form *)

(** Strides with those of single-index axes set to 0. *)
Fixpoint free_strides (b : box) (a : list Z) : list Z :=
  match b, a with
  | (lo, hi) :: b', x :: a' => (if hi - lo =? 1 then 0 else x) :: free_strides b' a'
  | _, _ => []
  end.

Fixpoint box_eqb (b c : box) : bool :=
  match b, c with
  | [], [] => true
  | (lo, hi) :: b', (lo', hi') :: c' => (lo =? lo') && (hi =? hi') && box_eqb b' c'
  | _, _ => false
  end.

(** A view of the shape with the valid box [b], which is not empty. *)
Definition canonical_on (s : list Z) (b : box) (o : Z) (a : list Z) : view :=
  let a' := free_strides b a in
  View s a' (o + dot a (low b) - dot a' (low b)) (if box_eqb b (box_of s) then All else Box b).

Definition canonicalize (v : view) : view :=
  let s := shape v in
  let on b := canonical_on s b (offset v) (strides v) in
  if count s =? 0 then View s (zeros s) 0 All
  else match mask v with
       | Nothing => View s (zeros s) 0 Nothing
       | All => on (box_of s)
       | Box b =>
           let b' := meet (box_of s) b in
           if forallb (fun p => fst p <? snd p) b' then on b' else View s (zeros s) 0 Nothing
       end.

Lemma box_eqb_spec : forall b c, box_eqb b c = true <-> b = c.
Proof.
  induction b as [|[lo hi] b IH]; intros [|[lo' hi'] c]; simpl;
    try (split; [discriminate | discriminate]); try tauto.
  rewrite !andb_true_iff, !Z.eqb_eq, IH. split; [intros [[-> ->] ->]; auto|].
  intros E. injection E. auto.
Qed.

Lemma free_strides_length : forall b a,
  length a = length b -> length (free_strides b a) = length b.
Proof.
  induction b as [|[lo hi] b IH]; intros [|x a] H; simpl in *; try discriminate; auto.
Qed.

Lemma free_strides_nth : forall b a l,
  length a = length b -> (l < length b)%nat ->
  nth l (free_strides b a) 0 = if extent b l =? 1 then 0 else nth l a 0.
Proof.
  unfold extent.
  induction b as [|[lo hi] b IH]; intros [|x a] [|l] Ha Hl; simpl in *; try discriminate; try lia.
  apply IH; lia.
Qed.

(** Within the box, the shifted offset makes up for the strides that were set to 0. *)
Lemma canonical_on_index : forall s b o a i,
  length a = length b -> in_box b i ->
  index (canonical_on s b o a) i = o + dot a i.
Proof.
  intros s b o a i Ha Hi. unfold index, canonical_on; simpl.
  set (a' := free_strides b a).
  enough (dot a i - dot a (low b) = dot a' i - dot a' (low b)) by lia. unfold a'.
  apply dot_agree with b; auto using free_strides_length.
  - eapply box_low_in, Hi.
  - intros l Hl W. rewrite free_strides_nth by assumption.
    destruct (Z.eqb_spec (extent b l) 1); [lia | reflexivity].
Qed.

Lemma canonical_on_correct : forall s b o a,
  Forall (fun n => 0 <= n) s -> count s <> 0 -> length a = length s ->
  Forall2 within s b ->
  let v := canonical_on s b o a in
  canonical v /\ (forall i, valid v i <-> in_box b i).
Proof.
  intros s b o a Hs Hc Ha Hb v.
  assert (Lb : length b = length s) by now apply within_length.
  assert (Eb : bounds v = b).
  { unfold v, canonical_on, bounds; simpl.
    destruct (box_eqb b (box_of s)) eqn:E; auto. now apply box_eqb_spec in E. }
  assert (Mv : mask v <> Nothing).
  { unfold v, canonical_on; simpl. destruct (box_eqb b (box_of s)); discriminate. }
  assert (Cv : canonical v).
  { constructor; simpl.
    - split; [exact Hs|]. simpl. split; [rewrite free_strides_length; congruence|].
      destruct (box_eqb b (box_of s)); auto.
    - tauto.
    - intros E. now destruct (box_eqb b (box_of s)).
    - intros c. destruct (box_eqb b (box_of s)) eqn:E; intros M; [discriminate|].
      injection M as <-.
      split; [exact Hb|]. intros F. apply box_eqb_spec in F. congruence.
    - intros _ l Hl W. rewrite Eb in W.
      rewrite free_strides_nth, W by congruence. reflexivity. }
  split; [exact Cv|]. intros i. rewrite canonical_valid by assumption. now rewrite Eb.
Qed.

Lemma box_of_within : forall s,
  Forall (fun n => 0 <= n) s -> count s <> 0 -> Forall2 within s (box_of s).
Proof.
  intros s Hs Hc. pose proof (count_nonneg s Hs).
  assert (Hp : Forall (fun n => 0 < n) s) by (apply count_pos_sizes; auto; lia).
  clear - Hp. induction Hp; simpl; constructor; auto. unfold within; simpl. lia.
Qed.

Lemma meet_within : forall s b,
  length b = length s -> forallb (fun p => fst p <? snd p) (meet (box_of s) b) = true ->
  Forall2 within s (meet (box_of s) b).
Proof.
  induction s as [|n s IH]; intros [|[lo hi] b] Hl H; simpl in *; try discriminate; auto.
  apply andb_true_iff in H as [H1 H2]. apply Z.ltb_lt in H1.
  constructor; [unfold within; simpl; lia | apply IH; auto].
Qed.

Lemma canonical_never : forall s, Forall (fun n => 0 <= n) s -> count s <> 0 ->
  canonical (View s (zeros s) 0 Nothing).
Proof.
  intros s Hs Hc. constructor; simpl; try tauto; try discriminate.
  unfold well_formed; simpl. unfold zeros. rewrite repeat_length. auto.
Qed.

(** The canonical form is canonical, has the same shape and is the same function. *)
Theorem canonicalize_correct : forall v, well_formed v ->
  canonical (canonicalize v)
  /\ shape (canonicalize v) = shape v
  /\ same_function (view_reading (canonicalize v)) (view_reading v).
Proof.
  intros v (Hs & Ha & Hm).
  assert (Lb : forall b, Forall2 within (shape v) b -> length (strides v) = length b).
  { intros b H. apply within_length in H. congruence. }
  unfold canonicalize. destruct (Z.eqb_spec (count (shape v)) 0) as [Hc|Hc].
  { assert (Hnone : forall i, ~ in_shape (shape v) i).
    { intros i Hi. apply in_shape_count in Hi. lia. }
    split; [|split; [reflexivity|]].
    - constructor; simpl; auto; try discriminate; unfold well_formed, zeros; simpl.
      + rewrite repeat_length. auto.
      + intros _ l Hl _. apply nth_repeat.
    - split; simpl; unfold valid; simpl; intros i; specialize (Hnone i); tauto. }
  destruct (mask v) as [|b|] eqn:M.
  - destruct (canonical_on_correct (shape v) (box_of (shape v)) (offset v) (strides v))
      as [Cv Hv]; auto using box_of_within.
    split; [exact Cv|]. split; [reflexivity|]. split; simpl.
    + intros i. rewrite Hv. unfold valid. rewrite M. simpl. unfold in_shape. tauto.
    + intros i Hi. apply Hv in Hi. apply canonical_on_index; auto using box_of_within.
  - assert (Hval : forall i, valid v i <-> in_box (meet (box_of (shape v)) b) i).
    { intros i. rewrite in_box_meet by now rewrite box_of_length.
      unfold valid, in_shape. rewrite M. simpl. tauto. }
    destruct (forallb _ _) eqn:F.
    + pose proof (meet_within _ _ Hm F) as Hw.
      destruct (canonical_on_correct (shape v) _ (offset v) (strides v) Hs Hc Ha Hw) as [Cv Hv].
      split; [exact Cv|]. split; [reflexivity|]. split; simpl.
      * intros i. now rewrite Hv, Hval.
      * intros i Hi. apply Hv in Hi. apply canonical_on_index; auto.
    + assert (Hnone : forall i, ~ valid v i).
      { intros i Hi. apply Hval, box_low_in, in_box_low in Hi.
        assert (forallb (fun p => fst p <? snd p) (meet (box_of (shape v)) b) = true).
        { apply forallb_forall. intros p Hp. apply Z.ltb_lt.
          rewrite Forall_forall in Hi. auto. }
        congruence. }
      split; [now apply canonical_never|]. split; [reflexivity|].
      split; simpl; intros i; specialize (Hnone i); unfold valid in *; simpl; tauto.
  - split; [now apply canonical_never|]. split; [reflexivity|].
    split; simpl; intros i; unfold valid; rewrite ?M; simpl; tauto.
Qed.

(** Views of one shape are the same function if and only if they have one canonical form. *)
Corollary canonicalize_equal : forall v w,
  well_formed v -> well_formed w -> shape v = shape w ->
  (canonicalize v = canonicalize w <-> same_function (view_reading v) (view_reading w)).
Proof.
  intros v w Wv Ww Es.
  destruct (canonicalize_correct v Wv) as (Cv & Sv & [Dv Vv]).
  destruct (canonicalize_correct w Ww) as (Cw & Sw & [Dw Vw]).
  rewrite canonical_equal by (auto; congruence). simpl in *.
  split; intros [Hd Hv]; split; simpl in *; intros i.
  - rewrite <- Dv, <- Dw. auto.
  - intros Hi. apply Dv in Hi. rewrite <- Vv, Hv by assumption. apply Vw, Hd, Hi.
  - rewrite Dv, Dw. auto.
  - intros Hi. rewrite Vv by assumption. apply Dv in Hi. rewrite Hv by assumption.
    symmetry. apply Vw, Dw, Hd, Hi.
Qed.
