(** * Facts about indices, boxes, sums of products and unravelling

    Small facts used by the other files. Two typical ones:

    - [dot_step]: increasing axis [l] by one adds the stride of axis [l];
    - [unravel_ravel] and [ravel_unravel]: an index of a shape and its linear
      position determine each other. In shape (2,3) the index (1,2) has
      position 5, and position 5 has digits (1,2). *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views.
Import ListNotations.
Open Scope Z_scope.

(** ** Boxes *)

Lemma in_box_length : forall b i, in_box b i -> length i = length b.
Proof.
  induction b as [|[lo hi] b IH]; destruct i as [|x i]; simpl; try tauto.
  intros [_ H]. now rewrite (IH _ H).
Qed.

Lemma in_box_nil : forall i, in_box [] i <-> i = [].
Proof. destruct i; simpl; split; intros; auto; try discriminate; tauto. Qed.

Lemma in_box_cons : forall lo hi b x i,
  in_box ((lo, hi) :: b) (x :: i) <-> lo <= x < hi /\ in_box b i.
Proof. reflexivity. Qed.

(** An index in a box, axis by axis. *)
Lemma in_box_nth : forall b i,
  in_box b i <->
  length i = length b
  /\ forall l, (l < length b)%nat -> fst (nth l b (0, 0)) <= nth l i 0 < snd (nth l b (0, 0)).
Proof.
  induction b as [|[lo hi] b IH]; intros [|x i]; simpl.
  - split; [intros _; split; auto; intros; lia | auto].
  - split; [tauto | intros [H _]; discriminate].
  - split; [tauto | intros [H _]; discriminate].
  - rewrite IH. split.
    + intros [Hx [Hl H]]. split; [lia|]. intros [|l] Hlt; simpl; [lia|]. apply H. lia.
    + intros [Hl H]. split; [apply (H 0%nat); lia|]. split; [lia|].
      intros l Hlt. apply (H (S l)). lia.
Qed.

Fixpoint in_boxb (b : box) (i : list Z) : bool :=
  match b, i with
  | [], [] => true
  | (lo, hi) :: b', x :: i' => (lo <=? x) && (x <? hi) && in_boxb b' i'
  | _, _ => false
  end.

Lemma in_boxb_spec : forall b i, in_boxb b i = true <-> in_box b i.
Proof.
  induction b as [|[lo hi] b IH]; intros [|x i]; simpl;
    try (split; [discriminate | tauto]); try tauto.
  rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt, IH. tauto.
Qed.

Lemma in_box_dec : forall b i, {in_box b i} + {~ in_box b i}.
Proof.
  intros b i. destruct (in_boxb b i) eqn:E.
  - left. now apply in_boxb_spec.
  - right. intros H. apply in_boxb_spec in H. congruence.
Qed.

(** The low corner of a box. *)
Definition low (b : box) : list Z := map fst b.

Lemma low_length : forall b, length (low b) = length b.
Proof. intros b. apply map_length. Qed.

(** A box has an index if and only if every interval does; then its low corner is one. *)
Lemma in_box_low : forall b, in_box b (low b) <-> Forall (fun p => fst p < snd p) b.
Proof.
  induction b as [|[lo hi] b IH]; simpl.
  - split; auto.
  - rewrite IH. split.
    + intros [H1 H2]. constructor; simpl; [lia | auto].
    + intros H. inversion H; subst. simpl in *. split; [lia | auto].
Qed.

Lemma box_low_in : forall b i, in_box b i -> in_box b (low b).
Proof.
  induction b as [|[lo hi] b IH]; intros [|x i]; simpl; try tauto.
  intros [H1 H2]. split; [lia | eauto].
Qed.

(** The intersection of two boxes. *)
Fixpoint meet (b c : box) : box :=
  match b, c with
  | (lo, hi) :: b', (lo', hi') :: c' => (Z.max lo lo', Z.min hi hi') :: meet b' c'
  | _, _ => []
  end.

Lemma meet_length : forall b c, length b = length c -> length (meet b c) = length b.
Proof.
  induction b as [|[lo hi] b IH]; intros [|[lo' hi'] c] H; simpl in *; try discriminate; auto.
Qed.

Lemma in_box_meet : forall b c i,
  length b = length c -> (in_box (meet b c) i <-> in_box b i /\ in_box c i).
Proof.
  induction b as [|[lo hi] b IH]; intros [|[lo' hi'] c] [|x i] H; simpl in *;
    try discriminate; try tauto.
  rewrite IH by lia. intuition lia.
Qed.

(** The number of indices along an axis. *)
Definition extent (b : box) (l : nat) : Z := snd (nth l b (0, 0)) - fst (nth l b (0, 0)).

(** ** Shapes *)

Lemma box_of_length : forall s, length (box_of s) = length s.
Proof. intros. apply map_length. Qed.

Lemma in_shape_length : forall s i, in_shape s i -> length i = length s.
Proof. intros s i H. apply in_box_length in H. now rewrite box_of_length in H. Qed.

Lemma in_shape_nil : forall i, in_shape [] i <-> i = [].
Proof. apply in_box_nil. Qed.

Lemma in_shape_cons : forall n s x i,
  in_shape (n :: s) (x :: i) <-> 0 <= x < n /\ in_shape s i.
Proof. reflexivity. Qed.

(** ** The number of elements *)

Lemma count_cons : forall n s, count (n :: s) = n * count s.
Proof. reflexivity. Qed.

Lemma count_app : forall s t, count (s ++ t) = count s * count t.
Proof.
  induction s as [|n s IH]; intros t.
  - change (count ([] ++ t)) with (count t). change (count []) with 1. ring.
  - simpl app. rewrite !count_cons, IH. ring.
Qed.

Lemma count_nonneg : forall s, Forall (fun n => 0 <= n) s -> 0 <= count s.
Proof.
  induction 1 as [|n s Hn H IH]; [cbn; lia|].
  rewrite count_cons. now apply Z.mul_nonneg_nonneg.
Qed.

Lemma count_pos : forall s, Forall (fun n => 0 < n) s -> 0 < count s.
Proof.
  induction 1 as [|n s Hn H IH]; [cbn; lia|].
  rewrite count_cons. now apply Z.mul_pos_pos.
Qed.

(** If no size is negative and there are elements, every size is positive. *)
Lemma count_pos_sizes : forall s,
  Forall (fun n => 0 <= n) s -> 0 < count s -> Forall (fun n => 0 < n) s.
Proof.
  induction 1 as [|n s Hn H IH]; intros Hc; constructor; rewrite count_cons in Hc;
    pose proof (count_nonneg s H).
  - nia.
  - apply IH. nia.
Qed.

Lemma in_shape_count : forall s i, in_shape s i -> 0 < count s.
Proof.
  induction s as [|n s IH]; intros i H.
  - cbn; lia.
  - destruct i as [|x i]; [easy|]. apply in_shape_cons in H as [Hx H].
    rewrite count_cons. apply Z.mul_pos_pos; [lia | eauto].
Qed.

(** ** Sums of products *)

Lemma dot_nil_r : forall a, dot a [] = 0.
Proof. destruct a; reflexivity. Qed.

Lemma dot_zeros : forall k i, dot (repeat 0 k) i = 0.
Proof.
  induction k as [|k IH]; intros [|x i]; simpl; auto.
Qed.

Lemma dot_zeros_r : forall k a, dot a (repeat 0 k) = 0.
Proof.
  induction k as [|k IH]; intros [|x a]; simpl; auto. rewrite IH. ring.
Qed.

Lemma dot_app : forall a b i j,
  length a = length i -> dot (a ++ b) (i ++ j) = dot a i + dot b j.
Proof.
  induction a as [|x a IH]; intros b [|y i] j H; simpl in *; try discriminate; auto.
  rewrite IH by lia. ring.
Qed.

Lemma dot_scale : forall c a i, dot (map (Z.mul c) a) i = c * dot a i.
Proof.
  induction a as [|x a IH]; intros [|y i]; simpl; try ring. rewrite IH. ring.
Qed.

(** ** Steps *)

Lemma step_length : forall i l, length (step i l) = length i.
Proof. induction i as [|x i IH]; intros [|l]; simpl; auto. Qed.

Lemma step_nth_same : forall i l, (l < length i)%nat -> nth l (step i l) 0 = nth l i 0 + 1.
Proof.
  induction i as [|x i IH]; intros [|l] H; simpl in *; try lia. apply IH. lia.
Qed.

Lemma step_nth_other : forall i l m, l <> m -> nth m (step i l) 0 = nth m i 0.
Proof.
  induction i as [|x i IH]; intros [|l] [|m] H; simpl in *; try lia; auto.
Qed.

Lemma dot_step : forall a i l,
  (l < length i)%nat -> dot a (step i l) = dot a i + nth l a 0.
Proof.
  induction a as [|y a IH]; intros [|x i] [|l] H; simpl in *; try lia.
  rewrite IH by lia. ring.
Qed.

(** Whether a step stays within a box depends on its axis alone. *)
Lemma in_box_step : forall b i l,
  in_box b i -> (l < length b)%nat ->
  (in_box b (step i l) <-> nth l i 0 + 1 < snd (nth l b (0, 0))).
Proof.
  induction b as [|[lo hi] b IH]; intros [|x i] [|l] Hi Hl; simpl in *; try lia; try tauto.
  - split; [lia|]. intros. split; [lia | tauto].
  - rewrite <- (IH i l) by (tauto || lia). tauto.
Qed.

(** On a box with an index, an axis can be stepped along if and only if its extent is 2 or more. *)
Lemma in_box_step_low : forall b l,
  in_box b (low b) -> (l < length b)%nat -> (in_box b (step (low b) l) <-> 2 <= extent b l).
Proof.
  intros b l H Hl. rewrite in_box_step by assumption. unfold extent, low.
  rewrite (nth_indep (map fst b) 0 (fst (0, 0))) by now rewrite map_length.
  rewrite map_nth. lia.
Qed.

(** Strides matter only on axes with two indices or more. *)
Lemma dot_agree : forall b a a' i j,
  in_box b i -> in_box b j -> length a = length b -> length a' = length b ->
  (forall l, (l < length b)%nat -> 2 <= extent b l -> nth l a 0 = nth l a' 0) ->
  dot a i - dot a j = dot a' i - dot a' j.
Proof.
  induction b as [|[lo hi] b IH]; intros [|x a] [|x' a'] [|y i] [|y' j] Hi Hj Ha Ha' H;
    simpl in *; try discriminate; try tauto.
  destruct Hi as [Hy Hi], Hj as [Hy' Hj].
  assert (E : x * y - x * y' = x' * y - x' * y').
  { destruct (Z_le_gt_dec 2 (hi - lo)) as [W|N].
    - pose proof (H 0%nat ltac:(lia) W) as Hx. simpl in Hx. now rewrite Hx.
    - replace y' with y by lia. lia. }
  specialize (IH a a' i j Hi Hj ltac:(lia) ltac:(lia)).
  enough (dot a i - dot a j = dot a' i - dot a' j) by lia.
  apply IH. intros l Hl W. apply (H (S l)); [lia | exact W].
Qed.

(** ** Linear positions *)

(** The strides of a contiguous view: how many elements one step along an axis skips. *)
Fixpoint row_major (s : list Z) : list Z :=
  match s with
  | [] => []
  | _ :: s' => count s' :: row_major s'
  end.

(** The linear position of an index, last axis fastest. *)
Definition ravel (s i : list Z) : Z := dot (row_major s) i.

Lemma row_major_length : forall s, length (row_major s) = length s.
Proof. induction s; simpl; auto. Qed.

Lemma ravel_cons : forall n s x i, ravel (n :: s) (x :: i) = count s * x + ravel s i.
Proof. reflexivity. Qed.

Lemma unravel_length : forall s n, length (unravel s n) = length s.
Proof. induction s; intros; simpl; auto. Qed.

(** The last digit is the remainder, and the others are those of the quotient. *)
Lemma unravel_snoc : forall s m n,
  Forall (fun k => 0 < k) s -> 0 < m -> s <> [] ->
  unravel (s ++ [m]) n = unravel s (n / m) ++ [n mod m].
Proof.
  induction s as [|k s IH]; intros m n Hs Hm Hne; [congruence|].
  inversion Hs as [|? ? _ Hs']; subst. simpl app. cbn [unravel].
  rewrite count_app. change (count [m]) with (m * 1). rewrite Z.mul_1_r.
  pose proof (count_pos s Hs') as Hc. simpl app. f_equal.
  - rewrite Z.mul_comm, Z.div_div by lia. reflexivity.
  - destruct s as [|k' s'].
    + change (count []) with 1. rewrite Z.mul_1_l. simpl. now rewrite Z.div_1_r.
    + rewrite IH by (auto; discriminate).
      set (c := count (k' :: s')) in *.
      replace (c * m) with (m * c) by ring.
      rewrite Z.rem_mul_r by lia. rewrite (Z.mul_comm m).
      rewrite Z.div_add, (Z.div_small (n mod m)) by (try apply Z.mod_pos_bound; lia).
      rewrite Z.add_0_l, Z.mod_add, Z.mod_mod by lia. reflexivity.
Qed.

Lemma unravel_in_shape : forall s n,
  Forall (fun m => 0 <= m) s -> 0 <= n < count s -> in_shape s (unravel s n).
Proof.
  intros s n Hs. revert n.
  induction Hs as [|m s Hm Hs IH]; intros n Hn; [exact I|].
  rewrite count_cons in Hn.
  assert (0 < count s).
  { pose proof (count_nonneg s Hs). nia. }
  simpl unravel. apply in_shape_cons. split.
  - split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia].
  - apply IH, Z.mod_pos_bound. lia.
Qed.

Lemma ravel_range : forall s i, in_shape s i -> 0 <= ravel s i < count s.
Proof.
  induction s as [|n s IH]; intros i H.
  - apply in_shape_nil in H as ->. cbn. lia.
  - destruct i as [|x i]; [easy|]. apply in_shape_cons in H as [Hx H].
    rewrite ravel_cons, count_cons. specialize (IH i H). nia.
Qed.

Lemma unravel_ravel : forall s i, in_shape s i -> unravel s (ravel s i) = i.
Proof.
  induction s as [|n s IH]; intros i H.
  - now apply in_shape_nil in H as ->.
  - destruct i as [|x i]; [easy|]. apply in_shape_cons in H as [Hx H].
    pose proof (ravel_range s i H) as Hr.
    rewrite ravel_cons. simpl unravel. f_equal.
    + symmetry. apply Z.div_unique with (r := ravel s i); [left; lia | ring].
    + replace (count s * x + ravel s i) with (ravel s i + x * count s) by ring.
      rewrite Z.mod_add, Z.mod_small by lia. auto.
Qed.

Lemma ravel_unravel : forall s n,
  Forall (fun m => 0 <= m) s -> 0 <= n < count s -> ravel s (unravel s n) = n.
Proof.
  intros s n Hs. revert n.
  induction Hs as [|m s Hm Hs IH]; intros n Hn; [cbn in *; lia|].
  rewrite count_cons in Hn.
  assert (0 < count s).
  { pose proof (count_nonneg s Hs). nia. }
  simpl unravel. rewrite ravel_cons, IH by (apply Z.mod_pos_bound; lia).
  symmetry. apply Z.div_mod. lia.
Qed.

(** Two indices of a shape at the same position are the same index. *)
Lemma ravel_injective : forall s i j,
  in_shape s i -> in_shape s j -> ravel s i = ravel s j -> i = j.
Proof.
  intros s i j Hi Hj E. rewrite <- (unravel_ravel s i Hi), <- (unravel_ravel s j Hj). now rewrite E.
Qed.

(** ** All indices of a box, last axis fastest *)

Fixpoint range (lo : Z) (n : nat) : list Z :=
  match n with
  | O => []
  | S n' => lo :: range (lo + 1) n'
  end.

Fixpoint indices (b : box) : list (list Z) :=
  match b with
  | [] => [[]]
  | (lo, hi) :: b' =>
      let rest := indices b' in
      flat_map (fun x => map (cons x) rest) (range lo (Z.to_nat (hi - lo)))
  end.

Lemma in_range : forall n lo x, In x (range lo n) <-> lo <= x < lo + Z.of_nat n.
Proof.
  induction n as [|n IH]; intros lo x; simpl range; simpl In; [lia|].
  rewrite IH. lia.
Qed.

Lemma in_indices : forall b i, In i (indices b) <-> in_box b i.
Proof.
  induction b as [|[lo hi] b IH]; intros i; simpl.
  - destruct i; intuition discriminate.
  - rewrite in_flat_map. split.
    + intros (x & Hx & H). apply in_map_iff in H as (j & <- & Hj).
      apply in_range in Hx. apply IH in Hj. simpl. split; [lia | exact Hj].
    + destruct i as [|x i]; [tauto|]. intros [Hx Hi]. exists x. split.
      * apply in_range. lia.
      * apply in_map, IH, Hi.
Qed.
