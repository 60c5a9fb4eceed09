(** * A checker for chains of views, proven right

    [check below top] decides, by walking all indices, whether the chain that
    ends in [top] is one view. It answers one of three things:

    - the chain does not compose, with a valid index of one view whose position
      is not a position of the view below it;
    - it is one view, with that view in canonical form;
    - it is not one view, with a witness: two valid indices and an invalid one
      between them, or two steps along one axis that add different amounts.

    Example: (10,3,3):(8,1,2) seen through (5):(4) is (5):(3); through (6):(4)
    the step from (0) along axis 0 is 3, but from (4) it is 8.

    [check_correct] says that each answer is true. The checker shares none of the methods
    by which the Rust library decides without walking, so it can judge them: it is
    extracted to OCaml and compared with the library on many chains.

    Cost: a few evaluations of the chain for each index; composability takes two. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Corners Criterion Canonical Hole.
Import ListNotations.
Open Scope Z_scope.

(** ** What is decided *)

(** Every valid index of the upper view points into the lower one. *)
Definition fits (lower upper : view) : Prop :=
  forall i, valid upper i -> 0 <= index upper i < count (shape lower).

(** Every view fits the one below it. This is about all valid indices of every view,
    reached from the top or not; so it implies [composable]. *)
Fixpoint stages_fit (below : list view) (top : view) : Prop :=
  match below with
  | [] => True
  | v :: rest => fits v top /\ stages_fit rest v
  end.

Theorem stages_fit_composable : forall below top, stages_fit below top -> composable below top.
Proof.
  induction below as [|v rest IH]; intros top H i Hi; simpl; auto.
  destruct H as [Hv Hr]. split; [now apply Hv|]. intros Hvalid. now apply (IH v Hr).
Qed.

(** Why a function is not one view. *)
Inductive witness :=
  | HoleAt (x y z : list Z)
  | StepsAt (axis : nat) (i j : list Z).

Definition witness_holds (f : reading) (w : witness) : Prop :=
  match w with
  | HoleAt x y z => defined f x /\ defined f y /\ ~ defined f z /\ between x y z
  | StepsAt l i j =>
      defined f i /\ defined f (step i l) /\ defined f j /\ defined f (step j l)
      /\ value f (step i l) - value f i <> value f (step j l) - value f j
  end.

Lemma step_beyond : forall i l, (length i <= l)%nat -> step i l = i.
Proof.
  induction i as [|x i IH]; intros [|l] H; simpl in *; auto; [lia|]. rewrite IH by lia. reflexivity.
Qed.

(** A view moves by its stride, whatever the index. *)
Lemma index_step : forall v i l,
  length i = length (shape v) ->
  index v (step i l) - index v i = if (l <? length (shape v))%nat then nth l (strides v) 0 else 0.
Proof.
  intros v i l Hi. unfold index. destruct (Nat.ltb_spec l (length (shape v))).
  - rewrite dot_step by lia. lia.
  - rewrite step_beyond by lia. lia.
Qed.

(** A function with a witness is not one view, of any shape. *)
Theorem witness_sound : forall s f w, witness_holds f w -> ~ mergeable s f.
Proof.
  intros s f w Hw (v & Hv & _ & Hd & Hval). simpl in Hd, Hval.
  destruct w as [x y z|l i j]; simpl in Hw.
  - destruct Hw as (Hx & Hy & Hz & Hb). apply Hd in Hx, Hy.
    destruct (valid_box v Hv) as [Hno | (b & _ & Hbox)]; [now apply (Hno x)|].
    apply Hz, Hd, Hbox. apply box_between with x y; auto; now apply Hbox.
  - destruct Hw as (Hi & Hi' & Hj & Hj' & Hne). apply Hne. apply Hd in Hi, Hi', Hj, Hj'.
    rewrite <- !Hval by assumption.
    rewrite !index_step; auto; apply in_shape_length; [apply Hj | apply Hi].
Qed.

(** ** Evaluation *)

Fixpoint in_shapeb (s i : list Z) : bool :=
  match s, i with
  | [], [] => true
  | n :: s', x :: i' => (0 <=? x) && (x <? n) && in_shapeb s' i'
  | _, _ => false
  end.

Lemma in_shapeb_spec : forall s i, in_shapeb s i = true <-> in_shape s i.
Proof.
  intros s i. unfold in_shape. rewrite <- in_boxb_spec. revert i.
  induction s as [|n s IH]; intros [|x i]; simpl; try tauto.
  rewrite !andb_true_iff, IH. tauto.
Qed.

Definition validb (v : view) (i : list Z) : bool :=
  if in_shapeb (shape v) i
  then match mask v with All => true | Box b => in_boxb b i | Nothing => false end
  else false.

Lemma validb_spec : forall v i, validb v i = true <-> valid v i.
Proof.
  intros v i. unfold validb, valid, valid_at.
  rewrite <- in_shapeb_spec. destruct (in_shapeb (shape v) i).
  - destruct (mask v); rewrite <- ?in_boxb_spec; intuition discriminate.
  - intuition discriminate.
Qed.

(** The box of the valid indices of a view, [None] if there are none. *)
Definition valid_bounds (v : view) : option box :=
  let b := match mask v with
           | All => Some (box_of (shape v))
           | Box b => Some (meet (box_of (shape v)) b)
           | Nothing => None
           end in
  match b with
  | Some b => if forallb (fun p => fst p <? snd p) b then Some b else None
  | None => None
  end.

Lemma nonempty_box : forall b,
  forallb (fun p => fst p <? snd p) b = true <-> in_box b (low b).
Proof.
  intros b. rewrite forallb_forall, in_box_low, Forall_forall.
  split; intros H p Hp; specialize (H p Hp); now apply Z.ltb_lt.
Qed.

Lemma valid_bounds_spec : forall v, well_formed v ->
  match valid_bounds v with
  | Some b => length b = length (shape v) /\ in_box b (low b) /\ forall i, valid v i <-> in_box b i
  | None => forall i, ~ valid v i
  end.
Proof.
  intros v (_ & _ & Hm). unfold valid_bounds.
  set (c := match mask v with
            | All => Some (box_of (shape v))
            | Box b => Some (meet (box_of (shape v)) b)
            | Nothing => None
            end).
  assert (Hc : match c with
               | Some b => length b = length (shape v) /\ forall i, valid v i <-> in_box b i
               | None => forall i, ~ valid v i
               end).
  { unfold c, valid, in_shape. destruct (mask v) as [|b|]; simpl; [| |tauto].
    - split; [apply box_of_length | tauto].
    - assert (E : length (box_of (shape v)) = length b) by now rewrite box_of_length.
      split; [now rewrite meet_length, box_of_length|].
      intros i. now rewrite in_box_meet. }
  destruct c as [b|]; [|exact Hc]. destruct Hc as [Hl Hv].
  pose proof (nonempty_box b) as Hn. destruct (forallb _ b).
  - split; [exact Hl|]. split; [now apply Hn | exact Hv].
  - intros i Hi. apply Hv, box_low_in, Hn in Hi. discriminate.
Qed.

(** One axis of a view that is read by linear position: how many positions one
    step skips, the stride, and the valid interval. *)
Record axis := Axis { skips : Z; stride : Z; first_valid : Z; past_valid : Z }.

Fixpoint axes_of (c a : list Z) (b : box) : list axis :=
  match c, a, b with
  | m :: c', x :: a', (lo, hi) :: b' => Axis m x lo hi :: axes_of c' a' b'
  | _, _, _ => []
  end.

(** A view prepared for reading: its offset and axes, [None] if it is never valid. *)
Definition prepare (v : view) : option (Z * list axis) :=
  match valid_bounds v with
  | Some b => Some (offset v, axes_of (row_major (shape v)) (strides v) b)
  | None => None
  end.

(** Unravels a position, adding up the strides, as long as the digits are valid. *)
Fixpoint walk_axes (axes : list axis) (n sum : Z) : option Z :=
  match axes with
  | [] => Some sum
  | Axis m x lo hi :: axes' =>
      let digit := n / m in
      if (lo <=? digit) && (digit <? hi) then walk_axes axes' (n - m * digit) (sum + x * digit) else None
  end.

Lemma mod_by_div : forall n m, n mod m = n - m * (n / m).
Proof.
  intros n m. destruct (Z.eq_dec m 0) as [->|H]; [|now apply Z.mod_eq].
  rewrite Zmod_0_r. lia.
Qed.

Lemma walk_axes_spec : forall s a b n sum,
  length a = length s -> length b = length s ->
  walk_axes (axes_of (row_major s) a b) n sum =
  if in_boxb b (unravel s n) then Some (sum + dot a (unravel s n)) else None.
Proof.
  induction s as [|m s IH]; intros [|x a] [|[lo hi] b] n sum Ha Hb; simpl in *; try discriminate.
  - f_equal. ring.
  - destruct ((lo <=? n / count s) && (n / count s <? hi)); simpl; [|reflexivity].
    rewrite IH by lia. rewrite <- mod_by_div.
    destruct (in_boxb b (unravel s (n mod count s))); [|reflexivity]. f_equal. ring.
Qed.

(** The value at a linear position, [None] for padding. *)
Fixpoint read (below : list (option (Z * list axis))) (n : Z) : option Z :=
  match below with
  | [] => Some n
  | None :: _ => None
  | Some (o, axes) :: rest =>
      match walk_axes axes n o with
      | Some n' => read rest n'
      | None => None
      end
  end.

(** The value at an index of the chain, [None] for padding. *)
Definition evaluate (below : list (option (Z * list axis))) (top : view) (i : list Z) : option Z :=
  if validb top i then read below (index top i) else None.

Lemma read_spec : forall below n,
  Forall well_formed below ->
  match read (map prepare below) n with
  | Some x => descend_valid below n /\ descend below n = x
  | None => ~ descend_valid below n
  end.
Proof.
  intros below n Hw. revert n. induction Hw as [|v rest Hv Hw IH]; intros n; simpl; auto.
  pose proof (valid_bounds_spec v Hv) as Hb. unfold prepare at 1.
  destruct (valid_bounds v) as [b|]; [|intros [H _]; now apply Hb in H].
  destruct Hb as (Hl & _ & Hb). rewrite walk_axes_spec by (try apply Hv; exact Hl).
  specialize (Hb (unravel (shape v) n)). rewrite <- in_boxb_spec in Hb.
  destruct (in_boxb b (unravel (shape v) n)).
  - fold (index v (unravel (shape v) n)). specialize (IH (index v (unravel (shape v) n))).
    destruct (read (map prepare rest) _); [|tauto].
    destruct IH as [H1 H2]. repeat split; auto; now apply Hb.
  - intros [H _]. apply Hb in H. discriminate.
Qed.

Lemma evaluate_spec : forall below top i,
  Forall well_formed below ->
  match evaluate (map prepare below) top i with
  | Some x => defined (stack below top) i /\ value (stack below top) i = x
  | None => ~ defined (stack below top) i
  end.
Proof.
  intros below top i Hw. unfold evaluate; simpl.
  pose proof (validb_spec top i) as Hv. pose proof (read_spec below (index top i) Hw) as Hr.
  destruct (validb top i).
  - destruct (read (map prepare below) (index top i)); [|tauto].
    destruct Hr. repeat split; auto; now apply Hv.
  - intros [H _]. apply Hv in H. discriminate.
Qed.

(** ** Composability *)

(** A valid index of the upper view that points outside the lower one. *)
Definition offending (lower upper : view) : option (list Z) :=
  match valid_bounds upper with
  | None => None
  | Some b =>
      let l := least_corner (strides upper) b in
      let h := most_corner (strides upper) b in
      if index upper l <? 0 then Some l
      else if count (shape lower) <=? index upper h then Some h
      else None
  end.

Lemma offending_correct : forall lower upper, well_formed upper ->
  match offending lower upper with
  | Some i => valid upper i /\ ~ 0 <= index upper i < count (shape lower)
  | None => fits lower upper
  end.
Proof.
  intros lower upper Hu. unfold offending, fits.
  pose proof (valid_bounds_spec upper Hu) as Hb.
  destruct (valid_bounds upper) as [b|]; [|intros i Hi; now apply Hb in Hi].
  destruct Hb as (Hl & Hlow & Hv).
  assert (Ha : length (strides upper) = length b) by (destruct Hu as (_ & -> & _); auto).
  destruct (corners_extreme (strides upper) b Ha Hlow) as (L & H & LH).
  destruct (Z.ltb_spec (index upper (least_corner (strides upper) b)) 0).
  { split; [now apply Hv | lia]. }
  destruct (Z.leb_spec (count (shape lower)) (index upper (most_corner (strides upper) b))).
  { split; [now apply Hv | lia]. }
  intros i Hi. apply Hv in Hi. specialize (LH i Hi).
  unfold index in *. lia.
Qed.

(** The first view, from the memory side, that does not fit the one below it:
    its number in the chain, counted from 0 at memory, and an offending index. *)
Fixpoint first_offending (below : list view) (top : view) : option (nat * list Z) :=
  match below with
  | [] => None
  | v :: rest =>
      match first_offending rest v with
      | Some found => Some found
      | None =>
          match offending v top with
          | Some i => Some (length below, i)
          | None => None
          end
      end
  end.

(** View [number] of the chain has the valid index [i], whose position is not in the view below. *)
Definition does_not_fit (below : list view) (top : view) (number : nat) (i : list Z) : Prop :=
  exists lower upper n,
    number = S n
    /\ nth_error (rev below ++ [top]) n = Some lower
    /\ nth_error (rev below ++ [top]) number = Some upper
    /\ valid upper i
    /\ ~ 0 <= index upper i < count (shape lower).

Lemma first_offending_correct : forall below top,
  Forall well_formed below -> well_formed top ->
  match first_offending below top with
  | Some (number, i) => does_not_fit below top number i
  | None => stages_fit below top
  end.
Proof.
  induction below as [|v rest IH]; intros top Hw Ht; simpl; auto.
  inversion Hw as [|? ? Hv Hr]; subst. specialize (IH v Hr Hv).
  destruct (first_offending rest v) as [[number i]|].
  - destruct IH as (lo & up & n & E & Hlo & Hup & H). exists lo, up, n. simpl rev.
    repeat split; try apply H; auto.
    + rewrite nth_error_app1; [exact Hlo|]. apply nth_error_Some. congruence.
    + rewrite nth_error_app1; [exact Hup|]. apply nth_error_Some. congruence.
  - pose proof (offending_correct v top Ht) as H. destruct (offending v top) as [i|]; [|auto].
    exists v, top, (length rest). simpl rev. repeat split; try apply H.
    + rewrite nth_error_app1 by (rewrite app_length, rev_length; simpl; lia).
      rewrite nth_error_app2 by (rewrite rev_length; lia).
      rewrite rev_length, Nat.sub_diag. reflexivity.
    + rewrite nth_error_app2 by (rewrite app_length, rev_length; simpl; lia).
      rewrite app_length, rev_length. simpl length.
      replace (S (length rest) - (length rest + 1))%nat with 0%nat by lia. reflexivity.
Qed.

(** If two views do not fit, the whole chain does not compose. *)
Lemma does_not_fit_stages : forall below top number i,
  does_not_fit below top number i -> ~ stages_fit below top.
Proof.
  induction below as [|v rest IH]; intros top number i (lo & up & n & -> & Hlo & Hup & Hi & Hn).
  - simpl in Hup. destruct n; discriminate.
  - intros [Hf Hs]. simpl rev in *.
    destruct (Nat.lt_ge_cases (S n) (length (rev rest ++ [v]))) as [Lt|Ge].
    + rewrite nth_error_app1 in Hlo, Hup by lia.
      apply (IH v (S n) i); [|exact Hs]. now exists lo, up, n.
    + assert (E : S n = length (rev rest ++ [v])).
      { assert (S n < length ((rev rest ++ [v]) ++ [top]))%nat
          by (apply nth_error_Some; congruence).
        rewrite !app_length in *. simpl length in *. lia. }
      rewrite nth_error_app2, E, Nat.sub_diag in Hup by lia. injection Hup as <-.
      rewrite app_length, rev_length in E. simpl in E.
      rewrite nth_error_app1 in Hlo by (rewrite app_length, rev_length; simpl; lia).
      rewrite nth_error_app2 in Hlo by (rewrite rev_length; lia).
      replace (n - length (rev rest))%nat with 0%nat in Hlo by (rewrite rev_length; lia).
      injection Hlo as <-. now apply Hn, Hf.
Qed.

(** ** The steps of a function on a box *)

(** A step along one of the axes that differs from the one at the low corner. *)
Fixpoint find_step (b : box) (f : list Z -> Z) (all : list (list Z)) (axes : list nat)
  : option (nat * list Z) :=
  match axes with
  | [] => None
  | l :: axes' =>
      let d := f (step (low b) l) - f (low b) in
      let differs i := if in_boxb b (step i l) then negb (f (step i l) - f i =? d) else false in
      match find differs all with
      | Some i => Some (l, i)
      | None => find_step b f all axes'
      end
  end.

Lemma find_step_correct : forall b f all axes,
  (forall i, In i all <-> in_box b i) ->
  (forall l, In l axes -> (l < length b)%nat) ->
  match find_step b f all axes with
  | Some (l, i) =>
      in_box b i /\ in_box b (step i l) /\ in_box b (low b) /\ in_box b (step (low b) l)
      /\ f (step (low b) l) - f (low b) <> f (step i l) - f i
  | None =>
      forall l i, In l axes -> in_box b i -> in_box b (step i l) ->
      f (step i l) - f i = f (step (low b) l) - f (low b)
  end.
Proof.
  intros b f all axes Hall Hax. induction axes as [|l axes IH]; simpl; [tauto|].
  destruct (find _ all) as [i|] eqn:F.
  - apply find_some in F as [Hi F]. apply Hall in Hi.
    destruct (in_boxb b (step i l)) eqn:Hs; [|discriminate].
    apply in_boxb_spec in Hs. apply negb_true_iff, Z.eqb_neq in F.
    pose proof (box_low_in b i Hi) as Hlow.
    pose proof (Hax l (or_introl eq_refl)) as Hl.
    repeat split; auto.
    apply in_box_step_low; auto.
    apply in_box_step in Hs; auto.
    apply in_box_nth in Hi as [_ Hi]. specialize (Hi l Hl). unfold extent. lia.
  - specialize (IH (fun m Hm => Hax m (or_intror Hm))).
    destruct (find_step b f all axes) as [[m i]|]; [exact IH|].
    intros m i [<-|Hm] Hi Hs; [|now apply IH].
    pose proof (find_none _ _ F i (proj2 (Hall i) Hi)) as Hn.
    apply in_boxb_spec in Hs. cbv beta in Hn. rewrite Hs in Hn.
    apply negb_false_iff, Z.eqb_eq in Hn. exact Hn.
Qed.

Lemma no_step_constant : forall b f,
  find_step b f (indices b) (seq 0 (length b)) = None -> constant_increments b f.
Proof.
  intros b f F l i j Hi Hi' Hj Hj' Hl.
  pose proof (find_step_correct b f (indices b) (seq 0 (length b)) (in_indices b)) as H.
  rewrite F in H.
  assert (Hin : In l (seq 0 (length b))) by (apply in_seq; lia).
  rewrite (H ltac:(intros m Hm; apply in_seq in Hm; lia) l i Hin Hi Hi').
  now rewrite (H ltac:(intros m Hm; apply in_seq in Hm; lia) l j Hin Hj Hj').
Qed.

(** ** The checker *)

(** The fields of a view fit together; the premise of [check_correct]. *)
Definition well_formedb (v : view) : bool :=
  forallb (fun n => 0 <=? n) (shape v)
  && Nat.eqb (length (strides v)) (length (shape v))
  && match mask v with Box b => Nat.eqb (length b) (length (shape v)) | _ => true end.

Lemma well_formedb_spec : forall v, well_formedb v = true <-> well_formed v.
Proof.
  intros v. unfold well_formedb, well_formed.
  rewrite !andb_true_iff, forallb_forall, Forall_forall, Nat.eqb_eq.
  assert (H : (forall n, In n (shape v) -> (0 <=? n) = true)
              <-> (forall n, In n (shape v) -> 0 <= n)).
  { split; intros H n Hn; specialize (H n Hn); now apply Z.leb_le. }
  rewrite H. destruct (mask v); rewrite ?Nat.eqb_eq; tauto.
Qed.

Inductive outcome :=
  | NotComposable (number : nat) (i : list Z)
  | Merged (w : view)
  | NotMergeable (w : witness).

(** A chain valid at both corners [m] and [h], and nowhere outside the box they span. *)
Definition check_span (s : list Z) (at_ : list Z -> option Z) (m h : list Z) : outcome :=
  let b := span m h in
  let all := indices b in
  let f i := match at_ i with Some x => x | None => 0 end in
  let a := corner_strides b f in
  let o := f m - dot a m in
  if forallb (fun i => match at_ i with Some x => x =? o + dot a i | None => false end) all
  then Merged (canonical_on s b o a)
  else
    match find (fun i => match at_ i with Some _ => false | None => true end) all with
    | Some z => NotMergeable (HoleAt m h z)
    | None =>
        match find_step b f all (seq 0 (length b)) with
        | Some (l, i) => NotMergeable (StepsAt l m i)
        | None => Merged (canonical_on s b o a)
        end
    end.

(** Views that compose; [b] are the valid indices of the last one. *)
Definition check_box (s : list Z) (at_ : list Z -> option Z) (b : box) : outcome :=
  let p i := match at_ i with Some _ => true | None => false end in
  match filter p (indices b) with
  | [] => Merged (View s (zeros s) 0 Nothing)
  | first :: rest =>
      match corners p first first rest with
      | inl (x, y, z) => NotMergeable (HoleAt x y z)
      | inr (m, h) => check_span s at_ m h
      end
  end.

Definition check (below : list view) (top : view) : outcome :=
  match first_offending below top with
  | Some (number, i) => NotComposable number i
  | None =>
      match valid_bounds top with
      | None => Merged (canonicalize (View (shape top) (zeros (shape top)) 0 Nothing))
      | Some b => check_box (shape top) (evaluate (map prepare below) top) b
      end
  end.

(** ** It is right *)

(** What an answer on views that compose claims about the function [f]. *)
Definition answer_true (s : list Z) (f : reading) (answer : outcome) : Prop :=
  match answer with
  | NotComposable _ _ => False
  | Merged w => canonical w /\ shape w = s /\ same_function (view_reading w) f
  | NotMergeable w => witness_holds f w /\ ~ mergeable s f
  end.

Lemma witness_answer : forall s f w, witness_holds f w -> answer_true s f (NotMergeable w).
Proof. intros s f w H. split; [exact H | eapply witness_sound, H]. Qed.

(** [at_] is an executable form of [f]. *)
Definition executes (at_ : list Z -> option Z) (f : reading) : Prop :=
  forall i, match at_ i with
            | Some x => defined f i /\ value f i = x
            | None => ~ defined f i
            end.

Lemma low_span : forall m h, length m = length h -> low (span m h) = m.
Proof.
  induction m as [|a m IH]; intros [|b h] H; simpl in *; try discriminate; auto.
  unfold low in *. simpl. rewrite IH by lia. reflexivity.
Qed.

(** A box within a shape, interval by interval. *)
Lemma within_of_box : forall s b,
  length b = length s -> in_box b (low b) -> (forall i, in_box b i -> in_shape s i) ->
  Forall2 within s b.
Proof.
  induction s as [|n s IH]; intros [|[lo hi] b] Hl Hb H; simpl in Hl; try discriminate; auto.
  simpl in Hb. destruct Hb as [H1 H2]. constructor.
  - assert (A : in_shape (n :: s) (lo :: low b)) by (apply H; simpl; auto).
    assert (B : in_shape (n :: s) ((hi - 1) :: low b)) by (apply H; simpl; split; [lia | auto]).
    apply in_shape_cons in A as [A _], B as [B _]. unfold within; simpl. lia.
  - apply IH; [lia | exact H2 |]. intros i Hi.
    assert (A : in_shape (n :: s) (lo :: i)) by (apply H; simpl; auto).
    apply in_shape_cons in A as [_ A]. exact A.
Qed.

(** The view with a box as its valid set and an affine function on it. *)
Lemma merged_answer : forall s f b o a,
  Forall (fun n => 0 <= n) s -> (forall i, defined f i -> in_shape s i) ->
  length b = length s -> in_box b (low b) ->
  (forall i, defined f i <-> in_box b i) -> affine_on b (value f) o a ->
  answer_true s f (Merged (canonical_on s b o a)).
Proof.
  intros s f b o a Hs Hin Hl Hlow Hd [Ha Hf].
  assert (Hw : Forall2 within s b).
  { apply within_of_box; auto. intros i Hi. now apply Hin, Hd. }
  assert (Hc : count s <> 0).
  { apply Hd, Hin, in_shape_count in Hlow. lia. }
  destruct (canonical_on_correct s b o a Hs Hc ltac:(congruence) Hw) as [Hcan Hv].
  split; [exact Hcan|]. split; [reflexivity|]. split; simpl.
  - intros i. now rewrite Hv, Hd.
  - intros i Hi. apply Hv in Hi. rewrite canonical_on_index by (congruence || assumption).
    symmetry. now apply Hf.
Qed.

Lemma check_span_correct : forall s at_ f m h,
  Forall (fun n => 0 <= n) s -> (forall i, defined f i -> in_shape s i) -> executes at_ f ->
  le_all m h -> defined f m -> defined f h ->
  (forall i, defined f i -> in_box (span m h) i) ->
  answer_true s f (check_span s at_ m h).
Proof.
  intros s at_ f m h Hs Hin Hex Hmh Hm Hh Hspan. unfold check_span.
  set (b := span m h) in *.
  set (g := fun i => match at_ i with Some x => x | None => 0 end).
  assert (Lmh : length m = length h) by now apply le_all_length.
  assert (Elow : low b = m) by now apply low_span.
  assert (Hl : length b = length s).
  { unfold b. rewrite span_length by exact Lmh. now apply in_shape_length, Hin. }
  assert (Hlow : in_box b (low b)) by (rewrite Elow; auto).
  assert (Hg : forall i, defined f i -> g i = value f i).
  { intros i Hi. unfold g. specialize (Hex i). destruct (at_ i); [symmetry; apply Hex | tauto]. }
  assert (La : length (corner_strides b g) = length b) by apply corner_strides_length.
  destruct (forallb _ _) eqn:F.
  { rewrite forallb_forall in F.
    assert (Hb : forall i, in_box b i ->
              defined f i
              /\ value f i = g m - dot (corner_strides b g) m + dot (corner_strides b g) i).
    { intros i Hi. specialize (F i (proj2 (in_indices b i) Hi)). specialize (Hex i).
      destruct (at_ i) as [x|]; [|discriminate]. apply Z.eqb_eq in F. destruct Hex as [Hi' <-].
      split; [exact Hi' | exact F]. }
    apply merged_answer; auto.
    - intros i. split; [apply Hspan | apply Hb].
    - split; [exact La | apply Hb]. }
  clear F. destruct (find _ _) as [z|] eqn:F.
  { apply find_some in F as [Hz F]. apply in_indices in Hz. specialize (Hex z).
    destruct (at_ z); [discriminate|].
    apply witness_answer. repeat split; auto; now apply between_span. }
  assert (Hd : forall i, defined f i <-> in_box b i).
  { intros i. split; [apply Hspan|]. intros Hi.
    pose proof (find_none _ _ F i (proj2 (in_indices b i) Hi)) as Hn. specialize (Hex i).
    simpl in Hn. destruct (at_ i); [apply Hex | discriminate]. }
  clear F.
  pose proof (find_step_correct b g (indices b) (seq 0 (length b)) (in_indices b)) as Hs2.
  destruct (find_step b g (indices b) (seq 0 (length b))) as [[l i]|] eqn:F.
  - destruct Hs2 as (S1 & S2 & S3 & S4 & S5); [intros k Hk; apply in_seq in Hk; lia|].
    rewrite Elow in *. apply Hd in S1, S2, S3, S4. rewrite !Hg in S5 by assumption.
    now apply witness_answer.
  - apply no_step_constant, corner_affine in F as [_ F].
    apply merged_answer; auto. split; [exact La|].
    intros i Hi. rewrite <- Hg by now apply Hd. rewrite F by exact Hi. now rewrite Elow.
Qed.

Lemma check_box_correct : forall s at_ f b,
  Forall (fun n => 0 <= n) s -> (forall i, defined f i -> in_shape s i) -> executes at_ f ->
  count s <> 0 -> (forall i, defined f i -> in_box b i) ->
  answer_true s f (check_box s at_ b).
Proof.
  intros s at_ f b Hs Hin Hex Hc Hb. unfold check_box.
  set (p := fun i => match at_ i with Some _ => true | None => false end).
  assert (Hp : forall i, p i = true <-> defined f i).
  { intros i. unfold p. specialize (Hex i). destruct (at_ i); [tauto|].
    split; [discriminate | tauto]. }
  assert (Hnp : forall i, p i = false -> ~ defined f i).
  { intros i Hi Hd. apply Hp in Hd. congruence. }
  assert (Hmem : forall i, In i (filter p (indices b)) <-> defined f i).
  { intros i. rewrite filter_In, in_indices, Hp. split; [tauto | auto]. }
  destruct (filter p (indices b)) as [|first rest].
  { split; [now apply canonical_never|]. split; [reflexivity|].
    split; simpl; unfold valid; simpl; [|intros i [_ []]].
    intros i. rewrite <- Hmem. simpl. tauto. }
  assert (Pf : p first = true) by (apply Hp, Hmem; now left).
  assert (Len : forall i, p i = true -> length i = length s).
  { intros i Hi. now apply in_shape_length, Hin, Hp. }
  assert (Hrest : forall y, In y rest -> p y = true /\ length y = length s).
  { intros y Hy. assert (p y = true) by (apply Hp, Hmem; now right). auto. }
  pose proof (corners_correct p rest first first (length s) Pf Pf (Len _ Pf) (Len _ Pf) Hrest) as H.
  destruct (corners p first first rest) as [[[x y] z]|[m h]].
  - destruct H as (Hx & Hy & Hz & Hbt). apply witness_answer.
    repeat split; auto; now apply Hp.
  - destruct H as (Pm & Ph & Lm & Lh & H).
    assert (Hmh : le_all m h) by (eapply le_all_trans; eauto).
    apply check_span_correct; auto; try now apply Hp.
    intros i Hi. apply in_span; [now apply le_all_length|].
    apply Hmem in Hi as [<-|Hi]; auto.
Qed.

(** Every answer of the checker is true. *)
Theorem check_correct : forall below top,
  Forall well_formed below -> well_formed top ->
  match check below top with
  | NotComposable number i => does_not_fit below top number i /\ ~ stages_fit below top
  | Merged w =>
      stages_fit below top
      /\ canonical w /\ shape w = shape top
      /\ same_function (view_reading w) (stack below top)
  | NotMergeable w =>
      stages_fit below top
      /\ witness_holds (stack below top) w
      /\ ~ mergeable (shape top) (stack below top)
  end.
Proof.
  intros below top Hb Ht. unfold check.
  pose proof (first_offending_correct below top Hb Ht) as Hf.
  destruct (first_offending below top) as [[number i]|].
  { split; [exact Hf | eapply does_not_fit_stages, Hf]. }
  enough (A : answer_true (shape top) (stack below top)
            (match valid_bounds top with
             | None => Merged (canonicalize (View (shape top) (zeros (shape top)) 0 Nothing))
             | Some b => check_box (shape top) (evaluate (map prepare below) top) b
             end)).
  { destruct (match valid_bounds top with Some _ => _ | None => _ end); simpl in A; tauto. }
  pose proof (valid_bounds_spec top Ht) as Hv. destruct (valid_bounds top) as [b|].
  - destruct Hv as (_ & Hlow & Hv). apply check_box_correct.
    + apply Ht.
    + apply stack_in_shape.
    + intros i. now apply evaluate_spec.
    + apply Hv in Hlow as [Hlow _]. apply in_shape_count in Hlow. lia.
    + intros i [Hi _]. now apply Hv.
  - destruct (canonicalize_correct (View (shape top) (zeros (shape top)) 0 Nothing))
      as (Hc & Hsh & [Hd Hval]).
    { split; [apply Ht|]. simpl. unfold zeros. now rewrite repeat_length. }
    split; [exact Hc|]. split; [exact Hsh|]. split.
    + intros i. split.
      * intros H. apply Hd in H as [_ []].
      * intros [H _]. now apply Hv in H.
    + intros i H. apply Hd in H as [_ []].
Qed.

(** So, for views that fit each other, the checker finds one view if and only if there is one. *)
Corollary check_decides : forall below top,
  Forall well_formed below -> well_formed top -> stages_fit below top ->
  ((exists w, check below top = Merged w) <-> mergeable (shape top) (stack below top)).
Proof.
  intros below top Hb Ht Hs. pose proof (check_correct below top Hb Ht) as H. split.
  - intros (w & E). rewrite E in H. destruct H as (_ & Hw & Hsh & Hf).
    exists w. split; [apply Hw | auto].
  - intros M. destruct (check below top) as [number i|w|w]; [tauto | eauto | tauto].
Qed.

(** And another canonical view is the answer only if it is the same one. *)
Corollary check_unique : forall below top w v,
  Forall well_formed below -> well_formed top -> check below top = Merged w ->
  canonical v -> shape v = shape top -> same_function (view_reading v) (stack below top) -> v = w.
Proof.
  intros below top w v Hb Ht E Hv Hs [Hd Hval]. pose proof (check_correct below top Hb Ht) as H.
  rewrite E in H. destruct H as (_ & Hw & Hsh & [Hd' Hval']).
  apply canonical_equal; [exact Hv | exact Hw | congruence |]. split.
  - intros i. now rewrite Hd, Hd'.
  - intros i Hi. rewrite Hval by exact Hi. symmetry. apply Hval', Hd', Hd, Hi.
Qed.

(** ** Evaluating a witness that somebody else found *)

Fixpoint betweenb (x y z : list Z) : bool :=
  match x, y, z with
  | [], [], [] => true
  | a :: x', b :: y', c :: z' => (Z.min a b <=? c) && (c <=? Z.max a b) && betweenb x' y' z'
  | _, _, _ => false
  end.

Lemma betweenb_spec : forall x y z, betweenb x y z = true <-> between x y z.
Proof.
  induction x as [|a x IH]; intros [|b y] [|c z]; simpl;
    try (split; [discriminate | tauto]); try tauto.
  rewrite !andb_true_iff, !Z.leb_le, IH. tauto.
Qed.

Definition check_witness (below : list view) (top : view) (w : witness) : bool :=
  let at_ := evaluate (map prepare below) top in
  match w with
  | HoleAt x y z =>
      match at_ x, at_ y, at_ z with
      | Some _, Some _, None => betweenb x y z
      | _, _, _ => false
      end
  | StepsAt l i j =>
      match at_ i, at_ (step i l), at_ j, at_ (step j l) with
      | Some a, Some a', Some b, Some b' => negb (a' - a =? b' - b)
      | _, _, _, _ => false
      end
  end.

Theorem check_witness_correct : forall below top w,
  Forall well_formed below ->
  (check_witness below top w = true <-> witness_holds (stack below top) w).
Proof.
  intros below top w Hw.
  pose proof (fun i => evaluate_spec below top i Hw) as E. destruct w as [x y z|l i j].
  - unfold check_witness, witness_holds.
    pose proof (E x) as Ex. pose proof (E y) as Ey. pose proof (E z) as Ez.
    destruct (evaluate (map prepare below) top x), (evaluate (map prepare below) top y),
      (evaluate (map prepare below) top z);
      rewrite ?betweenb_spec; intuition discriminate.
  - unfold check_witness, witness_holds.
    pose proof (E i) as E1. pose proof (E (step i l)) as E2.
    pose proof (E j) as E3. pose proof (E (step j l)) as E4.
    destruct (evaluate (map prepare below) top i), (evaluate (map prepare below) top (step i l)),
      (evaluate (map prepare below) top j), (evaluate (map prepare below) top (step j l));
      try (split; [discriminate | tauto]).
    destruct E1 as [D1 <-], E2 as [D2 <-], E3 as [D3 <-], E4 as [D4 <-].
    rewrite negb_true_iff, Z.eqb_neq. tauto.
Qed.
