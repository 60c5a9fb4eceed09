(** * Deciding mergeability is hard: subset sum is a question about two views

    Given numbers a_1 ... a_k >= 0 and a target T >= 1: is there a subset of them
    whose sum is T? No fast method is known for this, and none exists unless P = NP. This
    file turns every such question into two views that merge exactly if the answer is no.
    So no test of mergeability is fast for every number of axes, unless P = NP.

    With g = a_1 + ... + a_k + T + 1 and any integer K the two views are

<<
      v1 = (2, g+1, g) : (K g (g+1) + g,  K g + 1,  K)
      v2 = (2, 2, ..., 2) : ((g+1)(g-T) - g,  (g+1) a_1, ..., (g+1) a_k)
>>

    An index of v2 is a first bit x and a bit for each number: a subset, with
    some sum S. What v1 reads is K n + h with h = n / g - n / (g (g+1)), floors
    both. For x = 0 this h is S. For x = 1 the position is n = (g+1) L - g with
    L = g - T + S, and [floor_identity] says

<<
      h = L - 1,   and one more if g divides L, that is, if S = T.
>>

    So h is affine except for a bump where x = 1 and S = T. If there is no such
    subset, the views merge. If there is one, they do not: h has no bump at
    x = 0, nor at the empty subset, so its strides leave no room for one.

    Running example: a = (3, 5), T = 5, K = 1. Then g = 14, and

<<
      v1 = (2,15,14) : (224,15,1)      v2 = (2,2,2) : (121,45,75)
>>

    do not merge, because of the subset (5). With T = 4 instead, which no subset
    sums to, the two views do merge.

    The first axis of v2 is needed: on an axis of two indices everything is affine, even a
    bump. See [bump_can_be_affine] at the end. *)

From Coq Require Import ZArith List Lia.
From Viewmerge Require Import Views Lists Criterion Staircase.
Import ListNotations.
Open Scope Z_scope.

(** ** The identity *)

(** 1 if [g] divides [L], else 0. *)
Definition divides_bit (g L : Z) : Z := if L mod g =? 0 then 1 else 0.

Theorem floor_identity : forall g L, 1 <= g ->
  let n := (g + 1) * L - g in
  n / g - n / (g * (g + 1)) = L - 1 + divides_bit g L.
Proof.
  intros g L Hg n. unfold n, divides_bit.
  pose proof (Z.div_mod L g ltac:(lia)) as HL.
  pose proof (Z.mod_pos_bound L g ltac:(lia)) as Hr.
  set (q := L / g) in *. set (r := L mod g) in *.
  assert (E1 : ((g + 1) * L - g) / g = L - 1 + q).
  { symmetry. apply Z.div_unique with (r := r); [left; lia|]. rewrite HL. ring. }
  rewrite E1. destruct (Z.eqb_spec r 0) as [Hr0|Hr0].
  - assert (E2 : ((g + 1) * L - g) / (g * (g + 1)) = q - 1).
    { symmetry. apply Z.div_unique with (r := g * g); [left; nia|].
      rewrite HL, Hr0. ring. }
    rewrite E2. ring.
  - assert (E2 : ((g + 1) * L - g) / (g * (g + 1)) = q).
    { symmetry. apply Z.div_unique with (r := (g + 1) * r - g); [left; nia|].
      rewrite HL. ring. }
    rewrite E2. ring.
Qed.

(** ** The two views *)

Fixpoint sum (a : list Z) : Z :=
  match a with
  | [] => 0
  | x :: a' => x + sum a'
  end.

(** The sum of the selected numbers. *)
Fixpoint selected (a : list Z) (bits : list bool) : Z :=
  match a, bits with
  | x :: a', bit :: bits' => (if bit then x else 0) + selected a' bits'
  | _, _ => 0
  end.

Definition has_subset (a : list Z) (T : Z) : Prop :=
  exists bits, length bits = length a /\ selected a bits = T.

Definition modulus (a : list Z) (T : Z) : Z := sum a + T + 1.

Definition lower_view (g K : Z) : view :=
  View [2; g + 1; g] [K * (g * (g + 1)) + g; K * g + 1; K] 0 All.

Definition upper_view (a : list Z) (T g : Z) : view :=
  View (2 :: map (fun _ => 2) a) ((g + 1) * (g - T) - g :: map (Z.mul (g + 1)) a) 0 All.

Definition nonnegative (a : list Z) : Prop := Forall (fun x => 0 <= x) a.

Lemma sum_nonnegative : forall a, nonnegative a -> 0 <= sum a.
Proof. induction 1; simpl; lia. Qed.

Lemma lower_well_formed : forall g K, 0 <= g -> well_formed (lower_view g K).
Proof.
  intros g K Hg. split; [|split; [reflexivity | exact I]].
  cbn [shape lower_view]. repeat constructor; lia.
Qed.

Lemma upper_well_formed : forall a T g, well_formed (upper_view a T g).
Proof.
  intros a T g. split; [|split; [|exact I]]; cbn [shape strides upper_view length].
  - constructor; [lia|]. induction a; simpl; constructor; [lia | assumption].
  - now rewrite !map_length.
Qed.

(** ** Subsets are indices *)

(** An index of the shape (2, ..., 2): every entry is 0 or 1. *)
Definition bit_index (a i : list Z) : Prop := in_shape (map (fun _ => 2) a) i.

Lemma subset_is_index : forall a T,
  has_subset a T <-> exists i, bit_index a i /\ dot a i = T.
Proof.
  intros a T. split.
  - intros (bits & Hl & <-). exists (map Z.b2z bits).
    revert bits Hl. induction a as [|x a IH]; intros [|bit bits] Hl; try discriminate.
    + split; [exact I | reflexivity].
    + injection Hl as Hl. destruct (IH bits Hl) as [Hi Hd].
      split; [split; [destruct bit; simpl; lia | exact Hi]|].
      cbn [map dot selected]. rewrite Hd. destruct bit; cbn [Z.b2z]; ring.
  - intros (i & Hi & <-). exists (map (Z.eqb 1) i).
    revert i Hi. induction a as [|x a IH]; intros [|y i] Hi; try contradiction.
    + split; reflexivity.
    + destruct Hi as [Hy Hi]. destruct (IH i Hi) as [Hl Hs].
      split; [cbn [map length]; now f_equal|].
      cbn [map dot selected]. rewrite Hs.
      assert (y = 0 \/ y = 1) as [-> | ->] by lia; cbn; ring.
Qed.

(** A sub-sum is between 0 and the sum of all. *)
Lemma subsum_range : forall a i, nonnegative a -> bit_index a i -> 0 <= dot a i <= sum a.
Proof.
  intros a i Ha. revert i. induction Ha as [|x a Hx Ha IH]; intros [|y i] Hi;
    try contradiction; [simpl; lia|].
  destruct Hi as [Hy Hi]. specialize (IH i Hi). cbn [dot sum]. nia.
Qed.

(** The empty subset. *)
Lemma empty_subset : forall a, bit_index a (repeat 0 (length a)).
Proof. induction a as [|x a IH]; [exact I|]. split; [lia | exact IH]. Qed.

(** ** What the two views read *)

(** The position of an index of v2. *)
Lemma upper_index : forall a T g x i,
  index (upper_view a T g) (x :: i) = ((g + 1) * (g - T) - g) * x + (g + 1) * dot a i.
Proof.
  intros. unfold index. cbn [offset strides upper_view dot]. rewrite dot_scale. ring.
Qed.

(** v1 is a ramp with two opposite jumps of 1. *)
Lemma lower_reads : forall g K n, 1 <= g ->
  at_position (lower_view g K) n = K * n + (n / g - n / (g * (g + 1))).
Proof.
  intros g K n Hg. unfold at_position, index.
  rewrite closed_form_digits; try discriminate; try reflexivity;
    [|cbn [shape lower_view tl]; repeat constructor; lia].
  cbn [shape strides offset lower_view last levels count fold_right jumps].
  rewrite !Z.mul_1_r, (Z.mul_comm (g + 1) g). ring.
Qed.

(** Off the first axis, v1's reading is affine in the sub-sum. *)
Lemma reads_without_first : forall g K S, 0 <= S < g ->
  at_position (lower_view g K) ((g + 1) * S) = (K * (g + 1) + 1) * S.
Proof.
  intros g K S HS. rewrite lower_reads by lia.
  replace ((g + 1) * S / g) with S
    by (apply Z.div_unique with (r := S); [left; lia | ring]).
  rewrite Z.mul_comm with (n := g), Z.div_mul_cancel_l by lia.
  rewrite Z.div_small by lia. ring.
Qed.

(** On it, the reading is affine except for a bump where the sub-sum is the target. *)
Lemma reads_with_first : forall g T K S, 1 <= T -> 0 <= S < g - T ->
  at_position (lower_view g K) (((g + 1) * (g - T) - g) + (g + 1) * S)
  = (K * ((g + 1) * (g - T) - g) + (g - T - 1)) + (K * (g + 1) + 1) * S
    + (if S =? T then 1 else 0).
Proof.
  intros g T K S HT HS. rewrite lower_reads by lia.
  replace ((g + 1) * (g - T) - g + (g + 1) * S)
    with ((g + 1) * (g - T + S) - g) by ring.
  pose proof (floor_identity g (g - T + S) ltac:(lia)) as F. cbv zeta in F. rewrite F.
  unfold divides_bit. destruct (Z.eqb_spec S T) as [->|Hne].
  - replace (g - T + T) with (1 * g) by ring. rewrite Z.mod_mul by lia.
    rewrite Z.eqb_refl. ring.
  - destruct (Z.eqb_spec ((g - T + S) mod g) 0) as [Hd|_]; [|ring].
    exfalso. apply Z.mod_divide in Hd as [q Hq]; [|lia].
    assert (q = 1) by nia. subst q. lia.
Qed.

(** ** The reduction *)

Section Reduction.

Variable a : list Z.
Variables T K : Z.
Hypothesis Ha : nonnegative a.
Hypothesis HT : 1 <= T.

Let g := modulus a T.
Let v1 := lower_view g K.
Let v2 := upper_view a T g.

Lemma modulus_large : 2 <= g /\ g - T = sum a + 1.
Proof.
  unfold g, modulus. pose proof (sum_nonnegative a Ha). lia.
Qed.

Lemma upper_valid : forall i,
  in_shape (shape v2) i <-> exists x j, i = x :: j /\ (x = 0 \/ x = 1) /\ bit_index a j.
Proof.
  intros i. cbn [shape v2 upper_view]. split.
  - destruct i as [|x j]; [contradiction|]. intros [Hx Hj].
    exists x, j. split; [reflexivity|]. split; [lia | exact Hj].
  - intros (x & j & -> & Hx & Hj). split; [lia | exact Hj].
Qed.

(** The two views compose. *)
Lemma reduction_composable : composable [v1] v2.
Proof.
  intros i [Hi _]. apply upper_valid in Hi as (x & j & -> & Hx & Hj).
  pose proof (subsum_range a j Ha Hj) as HS. destruct modulus_large as [Hg HgT].
  split; [|exact (fun _ => I)].
  change (index v2 (x :: j)) with (index (upper_view a T g) (x :: j)). rewrite upper_index.
  cbn [shape v1 lower_view count fold_right]. rewrite HgT. destruct Hx as [-> | ->]; nia.
Qed.

(** Merging is being affine. *)
Lemma reduction_affine :
  mergeable (shape v2) (stack [v1] v2)
  <-> affine (box_of (shape v2)) (fun i => at_position v1 (index v2 i)).
Proof.
  rewrite criterion_two_views; [symmetry; apply criterion | | | reflexivity | reflexivity |].
  - apply lower_well_formed. destruct modulus_large. lia.
  - apply upper_well_formed.
  - exact reduction_composable.
Qed.

(** What the chain reads, in full. *)
Lemma reduction_reads : forall x j, x = 0 \/ x = 1 -> bit_index a j ->
  at_position v1 (index v2 (x :: j))
  = (K * ((g + 1) * (g - T) - g) + (g - T - 1)) * x + (K * (g + 1) + 1) * dot a j
    + (if (x =? 1) && (dot a j =? T) then 1 else 0)%bool.
Proof.
  intros x j Hx Hj. pose proof (subsum_range a j Ha Hj) as HS.
  destruct modulus_large as [Hg HgT].
  change (index v2 (x :: j)) with (index (upper_view a T g) (x :: j)). rewrite upper_index.
  unfold v1. destruct Hx as [-> | ->]; cbn [Z.eqb Pos.eqb andb].
  - rewrite Z.mul_0_r, Z.add_0_l, reads_without_first by lia. ring.
  - rewrite Z.mul_1_r, reads_with_first by lia. ring.
Qed.

(** The two views merge exactly if no subset has the sum [T]. *)
Lemma reduction_merges :
  mergeable (shape v2) (stack [v1] v2) <-> ~ has_subset a T.
Proof.
  rewrite reduction_affine, subset_is_index. split.
  - intros (o & t & Hl & Hf) (i & Hi & HiT).
    destruct t as [|y t]; [discriminate|].
    pose proof (empty_subset a) as Hz. pose proof (dot_zeros_r (length a) a) as HzS.
    set (z := repeat 0 (length a)) in *.
    assert (Hread : forall x j, x = 0 \/ x = 1 -> bit_index a j ->
              at_position v1 (index v2 (x :: j)) = o + dot (y :: t) (x :: j)).
    { intros x j Hx Hj. apply (Hf (x :: j)). split; [lia | exact Hj]. }
    (* the four corners: with and without the first axis, empty subset and the one of sum T *)
    pose proof (Hread 0 z (or_introl eq_refl) Hz) as H0z.
    pose proof (Hread 1 z (or_intror eq_refl) Hz) as H1z.
    pose proof (Hread 0 i (or_introl eq_refl) Hi) as H0i.
    pose proof (Hread 1 i (or_intror eq_refl) Hi) as H1i.
    rewrite reduction_reads in H0z, H1z, H0i, H1i by (auto || assumption).
    rewrite HzS in H0z, H1z. rewrite HiT, !Z.eqb_refl in H1i. rewrite HiT in H0i.
    replace (0 =? T) with false in H1z by (symmetry; apply Z.eqb_neq; lia).
    cbn [dot andb Z.eqb Pos.eqb] in *. lia.
  - intros Hno.
    exists 0, (K * ((g + 1) * (g - T) - g) + (g - T - 1) :: map (Z.mul (K * (g + 1) + 1)) a).
    split; [cbn [shape v2 upper_view]; rewrite box_of_length; cbn [length]; now rewrite !map_length|].
    intros i Hi. apply upper_valid in Hi as (x & j & -> & Hx & Hj).
    rewrite reduction_reads by assumption. cbn [dot]. rewrite dot_scale.
    destruct (Z.eqb_spec (dot a j) T) as [HjT|_].
    + exfalso. apply Hno. now exists j.
    + rewrite Bool.andb_false_r. ring.
Qed.

End Reduction.

Theorem subset_sum_reduction : forall a T K, nonnegative a -> 1 <= T ->
  let g := modulus a T in
  let v1 := lower_view g K in
  let v2 := upper_view a T g in
  well_formed v1 /\ well_formed v2 /\ composable [v1] v2
  /\ (mergeable (shape v2) (stack [v1] v2) <-> ~ has_subset a T).
Proof.
  intros a T K Ha HT g v1 v2. destruct (modulus_large a T Ha HT) as [Hg _].
  split; [apply lower_well_formed; unfold g; lia|].
  split; [apply upper_well_formed|].
  split; [apply reduction_composable | apply reduction_merges]; assumption.
Qed.

(** The running example: 5 is the sum of a subset of (3, 5), and 4 is not. *)
Example five_is_a_sum :
  let v1 := View [2; 15; 14] [224; 15; 1] 0 All in
  let v2 := View [2; 2; 2] [121; 45; 75] 0 All in
  ~ mergeable (shape v2) (stack [v1] v2).
Proof.
  intros v1 v2 H.
  assert (Ha : nonnegative [3; 5]) by (repeat constructor; lia).
  apply (reduction_merges [3; 5] 5 1 Ha ltac:(lia)) in H.
  apply H. exists [false; true]. split; reflexivity.
Qed.

Example four_is_no_sum :
  let v1 := View [2; 14; 13] [195; 14; 1] 0 All in
  let v2 := View [2; 2; 2] [113; 42; 70] 0 All in
  mergeable (shape v2) (stack [v1] v2).
Proof.
  assert (Ha : nonnegative [3; 5]) by (repeat constructor; lia).
  apply (reduction_merges [3; 5] 4 1 Ha ltac:(lia)).
  intros ([|[] [|[] [|]]] & Hl & Hs); discriminate.
Qed.

(** ** The numbers stay small *)

(** All numbers that make up a view without padding. *)
Definition numbers (v : view) : list Z := offset v :: shape v ++ strides v.

Lemma member_below_sum : forall a x, nonnegative a -> In x a -> 0 <= x <= sum a.
Proof.
  intros a x Ha. induction Ha as [|y a Hy Ha IH]; [contradiction|].
  pose proof (sum_nonnegative a Ha). intros [-> | Hx]; cbn [sum]; [lia|].
  specialize (IH Hx). lia.
Qed.

(** There are 2 k + 10 of them, none negative and none above (K+1) (g+1)^2. *)
Theorem reduction_sizes : forall a T K, nonnegative a -> 1 <= T -> 0 <= K ->
  let g := modulus a T in
  let all := numbers (lower_view g K) ++ numbers (upper_view a T g) in
  length all = (2 * length a + 10)%nat
  /\ Forall (fun x => 0 <= x <= (K + 1) * (g + 1) ^ 2) all.
Proof.
  intros a T K Ha HT HK g all.
  pose proof (sum_nonnegative a Ha) as Hs.
  assert (Hg : 2 <= g /\ g = sum a + T + 1) by (unfold g, modulus; lia).
  split.
  - unfold all, numbers. cbn [offset shape strides lower_view upper_view app length].
    rewrite app_length. cbn [length]. rewrite !map_length. lia.
  - assert (Hsq : (K + 1) * (g + 1) ^ 2 = K * (g * g) + 2 * (K * g) + K + (g * g) + 2 * g + 1)
      by ring.
    assert (0 <= K * g) by nia. assert (0 <= K * (g * g)) by nia. assert (2 * g <= g * g) by nia.
    rewrite Hsq.
    unfold all, numbers. cbn [offset shape strides lower_view upper_view].
    repeat first [apply Forall_app; split | apply Forall_cons | apply Forall_nil]; try nia;
      apply Forall_forall; intros x Hx; apply in_map_iff in Hx as (y & <- & Hy).
    + lia.
    + pose proof (member_below_sum a y Ha Hy). nia.
Qed.

(** How many binary digits a number has. *)
Definition bits (x : Z) : Z := Z.log2 x + 1.

Lemma bits_spec : forall x, 0 <= x -> x + 1 <= 2 ^ bits x.
Proof.
  intros x Hx. unfold bits. destruct (Z.eq_dec x 0) as [->|]; [cbn; lia|].
  pose proof (Z.log2_spec x ltac:(lia)). rewrite Z.add_1_r. lia.
Qed.

Lemma bits_nonneg : forall x, 0 <= bits x.
Proof. intros x. unfold bits. pose proof (Z.log2_nonneg x). lia. Qed.

Lemma bits_bound : forall x e, 0 <= e -> x <= 2 ^ e -> bits x <= e + 1.
Proof.
  intros x e He Hx. unfold bits. apply Z.log2_le_mono in Hx.
  rewrite Z.log2_pow2 in Hx by exact He. lia.
Qed.

(** A sum has at most as many digits as its terms together. *)
Lemma sum_digits : forall a, nonnegative a -> sum a + 1 <= 2 ^ sum (map bits a).
Proof.
  induction 1 as [|x a Hx Ha IH]; [cbn; lia|]. cbn [map sum].
  pose proof (bits_spec x Hx) as Hb. pose proof (sum_nonnegative a Ha).
  assert (0 <= sum (map bits a)).
  { apply sum_nonnegative. apply Forall_forall. intros y Hy.
    apply in_map_iff in Hy as (z & <- & _). apply bits_nonneg. }
  rewrite Z.pow_add_r by (assumption || apply bits_nonneg). nia.
Qed.

(** So the length of every number of the two views is at most twice that of the question,
    plus three. *)
Theorem reduction_digits : forall a T K, nonnegative a -> 1 <= T -> 0 <= K ->
  let g := modulus a T in
  let question := sum (map bits (K :: T :: a)) in
  Forall (fun x => bits x <= 2 * question + 3) (numbers (lower_view g K) ++ numbers (upper_view a T g)).
Proof.
  intros a T K Ha HT HK g question.
  destruct (reduction_sizes a T K Ha HT HK) as [_ Hall].
  apply Forall_impl with (2 := Hall). intros x [_ Hx]. fold g in Hx.
  pose proof (sum_digits (T :: a) ltac:(constructor; [lia | exact Ha])) as HI.
  pose proof (bits_spec K HK) as HbK. pose proof (bits_nonneg K).
  pose proof (sum_nonnegative a Ha).
  assert (Hg : g + 1 <= 2 ^ (sum (map bits (T :: a)) + 1)).
  { rewrite Z.pow_add_r; [change (2 ^ 1) with 2; cbn [sum] in HI; unfold g, modulus; lia | | lia].
    apply sum_nonnegative, Forall_forall. intros y Hy.
    apply in_map_iff in Hy as (z & <- & _). apply bits_nonneg. }
  unfold question. cbn [map sum] in *. set (I := bits T + sum (map bits a)) in *.
  assert (HI0 : 0 <= I).
  { apply (sum_nonnegative (map bits (T :: a))), Forall_forall. intros y Hy.
    apply in_map_iff in Hy as (z & <- & _). apply bits_nonneg. }
  enough (bits x <= bits K + 2 * (I + 1) + 1) by lia.
  apply bits_bound; [lia|].
  rewrite Z.pow_add_r by lia. rewrite (Z.mul_comm 2), Z.pow_mul_r by lia.
  assert (0 <= g) by (unfold g, modulus; lia).
  etransitivity; [exact Hx|]. apply Z.mul_le_mono_nonneg; [lia | lia | |].
  - apply Z.pow_nonneg. lia.
  - apply Z.pow_le_mono_l. lia.
Qed.

(** ** The lower view is an ordinary one *)

(** Its strides are positive and strictly decreasing, and no two indices read
    the same place: it is a padded row-major view, as a program might make it. *)
Theorem reduction_strides : forall g K, 2 <= g -> 1 <= K ->
  let v := lower_view g K in
  (exists x y z, strides v = [x; y; z] /\ x > y /\ y > z /\ z > 0)
  /\ (forall i j, in_shape (shape v) i -> in_shape (shape v) j ->
        index v i = index v j -> i = j).
Proof.
  intros g K Hg HK v. split.
  - eexists _, _, _. split; [reflexivity|]. nia.
  - intros i j Hi Hj. cbn [shape v lower_view] in Hi, Hj.
    destruct i as [|i1 [|i2 [|i3 [|]]]]; cbn in Hi; try tauto.
    destruct j as [|j1 [|j2 [|j3 [|]]]]; cbn in Hj; try tauto.
    unfold index. cbn [offset strides v lower_view dot]. intros E.
    set (step2 := K * g + 1) in *.
    assert (Hkg : 0 <= K * g) by (apply Z.mul_nonneg_nonneg; lia).
    (* the last digit moves the index by less than a step of the second *)
    assert (R : forall x3, 0 <= x3 < g -> 0 <= K * x3 < K * g).
    { intros x3 H3. split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_pos_l; lia]. }
    pose proof (R i3 ltac:(lia)) as Ri. pose proof (R j3 ltac:(lia)) as Rj.
    assert (Hstep1 : K * (g * (g + 1)) + g = step2 * g + K * g) by (unfold step2; ring).
    rewrite Hstep1 in E.
    (* the last two by less than a step of the first *)
    assert (Q : forall x2 x3, 0 <= x2 < g + 1 -> 0 <= x3 < g ->
              0 <= step2 * x2 + K * x3 < step2 * g + K * g).
    { intros x2 x3 H2 H3. specialize (R x3 H3).
      assert (0 <= step2 * x2) by (apply Z.mul_nonneg_nonneg; lia).
      assert (step2 * x2 <= step2 * g) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
    pose proof (Q i2 i3 ltac:(lia) ltac:(lia)) as Qi.
    pose proof (Q j2 j3 ltac:(lia) ltac:(lia)) as Qj.
    assert (i1 = j1).
    { assert (i1 = 0 \/ i1 = 1) as [-> | ->] by lia;
      assert (j1 = 0 \/ j1 = 1) as [-> | ->] by lia; lia. }
    subst j1.
    assert (i2 = j2).
    { apply Z.le_antisymm; apply Z.lt_succ_r; apply Z.mul_lt_mono_pos_l with step2; lia. }
    subst j2. f_equal. f_equal. f_equal. apply Z.mul_reg_l with K; lia.
Qed.

(** ** Why the first axis is needed *)

(** A bump on an axis of two indices is affine. Here g = 4 and the positions are
    1 and 16, that is L = 1 and L = 4: the second is divisible by 4, the first is
    not, and the views merge all the same, into (2) : (15 K + 4) + K. *)
Example bump_can_be_affine : forall K,
  let v1 := lower_view 4 K in
  let v2 := View [2] [15] 1 All in
  divides_bit 4 1 = 0 /\ divides_bit 4 4 = 1
  /\ (forall i, in_shape [2] i -> exists L, (L = 1 \/ L = 4) /\ index v2 i = 5 * L - 4)
  /\ composable [v1] v2
  /\ mergeable [2] (stack [v1] v2).
Proof.
  intros K v1 v2.
  assert (Hi : forall i, in_shape [2] i -> i = [0] \/ i = [1]).
  { intros [|x [|]] H; cbn in H; try tauto. assert (x = 0 \/ x = 1) as [-> | ->] by lia; auto. }
  assert (Hc : composable [v1] v2).
  { intros i [H _]. apply Hi in H as [-> | ->]; cbn; lia. }
  split; [reflexivity|]. split; [reflexivity|]. split; [|split; [exact Hc|]].
  - intros i H. apply Hi in H as [-> | ->]; [exists 1 | exists 4]; cbn; lia.
  - apply (criterion_two_views v1 v2); try reflexivity; try exact Hc.
    + apply lower_well_formed. lia.
    + repeat split; cbn; repeat constructor; lia.
    + apply criterion. exists K, [15 * K + 4]. split; [reflexivity|].
      intros i H. unfold v1. rewrite lower_reads by lia. apply Hi in H as [-> | ->].
      * change (index v2 [0]) with 1. change (1 / 4 - 1 / (4 * (4 + 1))) with 0. cbn [dot]. lia.
      * change (index v2 [1]) with 16. change (16 / 4 - 16 / (4 * (4 + 1))) with 4. cbn [dot]. lia.
Qed.
