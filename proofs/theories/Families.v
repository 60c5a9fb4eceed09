(** * Which two levels cancel at every length

    One axis, position n = o + t * i, a fine level [m] and a coarse level [m * M] whose
    jumps have the same size. [Accidental.v] tests a given length. This file determines
    when the two levels cancel at every length.

    Let g = gcd(t, m) and q = m / g. Modulo [m] the position can only be at [q]
    places, one in each of [q] cells of equal width, and it visits all of them in
    turn. Let cell1 be the cell of [o] among [q] cells of the fine level, and cell2
    its cell among [q] cells of the coarse level:

<<
      cell1 = q * (o mod m) / m          cell2 = q * (o mod (m * M)) / (m * M)

      opposite jumps cancel at every length
          if and only if   m M divides t (M - 1)   and   cell1 = cell2
      equal jumps cancel at every length
          if and only if   m M divides t (M + 1)   and   cell1 + cell2 = q - 1
>>

    The first condition makes the two levels move through their cells at the same
    speed, in the same or in the opposite direction. The second makes them leave
    their last cell at the same moment.

    Running examples: stride 6 over levels 4 and 12 (m = 4, M = 3): 12 divides
    6 * 2, and from o = 0 both cells are 0. The two overflows happen together.
    Stride 5 over levels 3 and 15 (m = 3, M = 5): 15 divides 5 * 6, and q = 3.
    From o = 2 the cells are 2 and 0, and 2 + 0 = q - 1. *)

From Coq Require Import ZArith Znumtheory List Lia.
From Viewmerge Require Import Views Lists Criterion Staircase.
Import ListNotations.
Open Scope Z_scope.

(** ** Affine at every length *)

Definition every_length (h : Z -> Z) : Prop := exists c k, forall i, 0 <= i -> h i = c + k * i.

(** Being affine on each single length is the same: the strides cannot change
    from one length to the next. *)
Theorem every_length_iff : forall h,
  every_length h <-> forall s, affine (box_of [s]) (fun i => h (nth 0 i 0)).
Proof.
  intros h. split.
  - intros (c & k & H) s. exists c, [k]. split; [reflexivity|].
    intros [|x [|]] Hx; cbn in Hx; try tauto. cbn [nth dot]. rewrite H by lia. ring.
  - intros H. exists (h 0), (h 1 - h 0). intros i Hi.
    destruct (H (i + 2)) as (c & [|k [|]] & Hl & Hf); try discriminate.
    pose proof (Hf [0] ltac:(cbn; lia)) as H0. pose proof (Hf [1] ltac:(cbn; lia)) as H1.
    pose proof (Hf [i] ltac:(cbn; lia)) as H2. cbn [nth dot] in H0, H1, H2.
    rewrite H0, H1, H2. ring.
Qed.

Lemma every_length_same : forall f g,
  (forall i, 0 <= i -> f i = g i) -> every_length f -> every_length g.
Proof.
  intros f g E (c & k & H). exists c, k. intros i Hi. rewrite <- E by assumption. auto.
Qed.

(** A known slope can be subtracted. *)
Lemma every_length_slope : forall f g k,
  (forall i, 0 <= i -> f i = k * i + g i) -> (every_length f <-> every_length g).
Proof.
  intros f g k E. split; intros (c & s & H).
  - exists c, (s - k). intros i Hi. specialize (H i Hi). rewrite E in H by assumption. lia.
  - exists c, (s + k). intros i Hi. rewrite E, H by assumption. ring.
Qed.

(** ** Two walks at the same speed *)

(** A walk with a step coprime to [q] visits every residue. *)
Lemma visits : forall q w p target, 0 < q -> rel_prime w q ->
  exists i, 0 <= i /\ (p + w * i) mod q = target mod q.
Proof.
  intros q w p target Hq Hw. destruct (rel_prime_bezout _ _ Hw) as [u v Huv].
  exists ((u * (target - p)) mod q). split; [apply Z.mod_pos_bound; lia|].
  pose proof (Z.div_mod (u * (target - p)) q ltac:(lia)) as D.
  set (i := (u * (target - p)) mod q) in *. set (d := u * (target - p) / q) in *.
  replace (p + w * i) with (target + (- v * (target - p) - w * d) * q).
  - apply Z.mod_add. lia.
  - replace i with (u * (target - p) - q * d) by lia.
    replace (target + (- v * (target - p) - w * d) * q)
      with (target - (v * q) * (target - p) - w * d * q) by ring.
    replace (v * q) with (1 - u * w) by lia. ring.
Qed.

(** Two walks with the same step stay in step exactly if they start at the same residue. *)
Lemma walks_in_step : forall q w p1 p2, 0 < q -> rel_prime w q ->
  (every_length (fun i => (p1 + w * i) / q - (p2 + w * i) / q) <-> p1 mod q = p2 mod q).
Proof.
  intros q w p1 p2 Hq Hw. split.
  - intros (c & k & H).
    assert (k = 0).
    { pose proof (H 0 ltac:(lia)) as H0. pose proof (H q ltac:(lia)) as H1.
      rewrite !Z.div_add in H1 by lia. rewrite !Z.mul_0_r, !Z.add_0_r in H0. nia. }
    subst k.
    (* the residue of the first walk is once the smallest and once the largest *)
    destruct (visits q w p1 0 Hq Hw) as (i & Hi & Ei).
    destruct (visits q w p1 (q - 1) Hq Hw) as (j & Hj & Ej).
    rewrite Z.mod_0_l in Ei by lia. rewrite (Z.mod_small (q - 1)) in Ej by lia.
    specialize (H i Hi) as HI. specialize (H j Hj) as HJ.
    pose proof (Z.div_mod (p1 + w * i) q ltac:(lia)).
    pose proof (Z.div_mod (p2 + w * i) q ltac:(lia)).
    pose proof (Z.div_mod (p1 + w * j) q ltac:(lia)).
    pose proof (Z.div_mod (p2 + w * j) q ltac:(lia)).
    pose proof (Z.mod_pos_bound (p2 + w * i) q Hq). pose proof (Z.mod_pos_bound (p2 + w * j) q Hq).
    assert (E : p1 - p2 = q * c) by nia.
    replace p1 with (p2 + c * q) by lia. apply Z.mod_add. lia.
  - intros E. exists (p1 / q - p2 / q), 0. intros i _.
    pose proof (Z.div_mod p1 q ltac:(lia)) as D1. pose proof (Z.div_mod p2 q ltac:(lia)) as D2.
    rewrite E in D1. set (rem := p2 mod q) in *.
    replace (p1 + w * i) with ((rem + w * i) + p1 / q * q) by lia.
    replace (p2 + w * i) with ((rem + w * i) + p2 / q * q) by lia.
    rewrite !Z.div_add by lia. ring.
Qed.

(** ** Cells *)

(** The cell of [o] among [q] cells that share the level [c]. *)
Definition cell (q o c : Z) : Z := q * (o mod c) / c.

(** With cells of width [width] it is the number of whole widths, modulo [q]. *)
Lemma cell_is_residue : forall q width o, 0 < q -> 0 < width ->
  cell q o (q * width) = (o / width) mod q.
Proof.
  intros q width o Hq Hw. unfold cell.
  rewrite Z.div_mul_cancel_l by lia.
  rewrite digit_telescopes by lia.
  rewrite (Z.mod_eq (o / width)), Z.div_div by lia. now rewrite (Z.mul_comm width q).
Qed.

(** A floor along the axis is the floor of a walk with a coprime step. *)
Lemma floor_is_walk : forall g q w x i, 0 < g -> 0 < q ->
  (x + w * g * i) / (q * g) = (x / g + w * i) / q.
Proof.
  intros g q w x i Hg Hq. rewrite (Z.mul_comm q g), <- Z.div_div by lia.
  replace (x + w * g * i) with (x + w * i * g) by ring. now rewrite Z.div_add by lia.
Qed.

(** The floor of a negative. *)
Lemma floor_negative : forall x q, 0 < q -> - x / q = - ((x + (q - 1)) / q).
Proof.
  intros x q Hq. pose proof (Z.div_mod (x + (q - 1)) q ltac:(lia)) as D.
  pose proof (Z.mod_pos_bound (x + (q - 1)) q Hq) as R.
  symmetry. apply Z.div_unique with (r := q - 1 - (x + (q - 1)) mod q); [left; lia | lia].
Qed.

Lemma mirror_residue : forall x q, 0 < q -> (q - 1 - x) mod q = q - 1 - x mod q.
Proof.
  intros x q Hq. pose proof (Z.div_mod x q ltac:(lia)) as D.
  pose proof (Z.mod_pos_bound x q Hq) as R.
  symmetry. apply Z.mod_unique with (q := - (x / q)); [left; lia | lia].
Qed.

(** Dividing by the greatest common divisor leaves coprime numbers. *)
Lemma coprime_parts : forall u m, 0 < m ->
  let g := Z.gcd u m in
  exists w q, 0 < g /\ 0 < q /\ u = w * g /\ m = q * g /\ m / g = q /\ rel_prime w q.
Proof.
  intros u m Hm g.
  assert (Hg : 0 < g).
  { pose proof (Z.gcd_nonneg u m). assert (g <> 0); [|unfold g in *; lia].
    intro E. apply Z.gcd_eq_0_r in E. lia. }
  destruct (Z.gcd_divide_l u m) as [w Hw], (Z.gcd_divide_r u m) as [q Hq].
  fold g in Hw, Hq. exists w, q. assert (0 < q) by nia.
  do 4 (split; [assumption|]). split.
  - rewrite Hq at 1. apply Z.div_mul. lia.
  - apply Zgcd_1_rel_prime.
    replace w with (u / g) by (rewrite Hw at 1; apply Z.div_mul; lia).
    replace q with (m / g) by (rewrite Hq at 1; apply Z.div_mul; lia).
    apply Z.gcd_div_gcd; [lia | reflexivity].
Qed.

(** ** The two families *)

(** Along a whole period of the coarse level the floors move by t M and by t. *)
Lemma over_a_period : forall o t m M, 1 <= m -> 1 <= M ->
  (o + t * (m * M)) / m = o / m + t * M /\ (o + t * (m * M)) / (m * M) = o / (m * M) + t.
Proof.
  intros o t m M Hm HM. split.
  - replace (o + t * (m * M)) with (o + t * M * m) by ring. apply Z.div_add. lia.
  - apply Z.div_add. nia.
Qed.

(** The coarse floor of a position with stride M u. *)
Lemma coarse_walk : forall o u m M i, 1 <= m -> 1 <= M ->
  (o + M * u * i) / (m * M) = (o / M + u * i) / m.
Proof.
  intros o u m M i Hm HM. rewrite (Z.mul_comm m M), <- Z.div_div by lia.
  replace (o + M * u * i) with (o + u * i * M) by ring. now rewrite Z.div_add by lia.
Qed.

Theorem family_opposite : forall m M t o, 1 <= m -> 1 <= M ->
  let q := m / Z.gcd t m in
  every_length (fun i => (o + t * i) / m - (o + t * i) / (m * M))
  <-> (m * M | t * (M - 1)) /\ cell q o m = cell q o (m * M).
Proof.
  intros m M t o Hm HM q.
  assert (Main : forall k, t * (M - 1) = k * (m * M) ->
    (every_length (fun i => (o + t * i) / m - (o + t * i) / (m * M))
     <-> cell q o m = cell q o (m * M))).
  { intros k Hk. set (u := t - m * k).
    assert (Ht : t = M * u) by (unfold u; nia).
    assert (Hgcd : Z.gcd t m = Z.gcd u m).
    { unfold u. rewrite (Z.gcd_comm t), (Z.gcd_comm (t - m * k)).
      replace (t - m * k) with (t + - k * m) by ring. symmetry. apply Z.gcd_add_mult_diag_r. }
    destruct (coprime_parts u m ltac:(lia)) as (w & q' & Hg & Hq & Hu & Hm' & Eq & Hw).
    unfold q. rewrite Hgcd, Eq. clear q. set (g := Z.gcd u m) in *.
    replace (cell q' o m) with ((o / g) mod q')
      by (rewrite Hm'; symmetry; now apply cell_is_residue).
    replace (cell q' o (m * M)) with ((o / M / g) mod q').
    2: { rewrite Hm'. replace (q' * g * M) with (q' * (M * g)) by ring.
         rewrite cell_is_residue by nia. now rewrite Z.div_div by lia. }
    rewrite <- (walks_in_step q' w (o / g) (o / M / g) Hq Hw).
    apply every_length_slope with (k := k). intros i _.
    rewrite Ht at 2. rewrite coarse_walk by assumption.
    replace (o + t * i) with (o + u * i + k * i * m) by (unfold u; ring).
    rewrite Z.div_add by lia.
    rewrite Hu, Hm'. rewrite !floor_is_walk by assumption. ring. }
  split.
  - intros H. assert (Hd : exists k, t * (M - 1) = k * (m * M)).
    { destruct H as (c & k & H). exists k.
      pose proof (H 0 ltac:(lia)) as H0. pose proof (H (m * M) ltac:(nia)) as H1.
      destruct (over_a_period o t m M Hm HM) as [P1 P2]. rewrite P1, P2 in H1.
      rewrite !Z.mul_0_r, !Z.add_0_r in H0. lia. }
    destruct Hd as [k Hk]. split; [exists k; exact Hk|]. now apply (Main k Hk).
  - intros [[k Hk] Hcell]. now apply (Main k Hk).
Qed.

Theorem family_equal : forall m M t o, 1 <= m -> 1 <= M ->
  let q := m / Z.gcd t m in
  every_length (fun i => (o + t * i) / m + (o + t * i) / (m * M))
  <-> (m * M | t * (M + 1)) /\ cell q o m + cell q o (m * M) = q - 1.
Proof.
  intros m M t o Hm HM q.
  assert (Main : forall k, t * (M + 1) = k * (m * M) ->
    (every_length (fun i => (o + t * i) / m + (o + t * i) / (m * M))
     <-> cell q o m + cell q o (m * M) = q - 1)).
  { intros k Hk. set (u := m * k - t).
    assert (Ht : t = M * u) by (unfold u; nia).
    assert (Hgcd : Z.gcd t m = Z.gcd u m).
    { unfold u. rewrite (Z.gcd_comm t), (Z.gcd_comm (m * k - t)).
      replace (m * k - t) with (- t + k * m) by ring.
      now rewrite Z.gcd_add_mult_diag_r, Z.gcd_opp_r. }
    destruct (coprime_parts u m ltac:(lia)) as (w & q' & Hg & Hq & Hu & Hm' & Eq & Hw).
    unfold q. rewrite Hgcd, Eq. clear q. set (g := Z.gcd u m) in *.
    replace (cell q' o m) with ((o / g) mod q')
      by (rewrite Hm'; symmetry; now apply cell_is_residue).
    replace (cell q' o (m * M)) with ((o / M / g) mod q').
    2: { rewrite Hm'. replace (q' * g * M) with (q' * (M * g)) by ring.
         rewrite cell_is_residue by nia. now rewrite Z.div_div by lia. }
    transitivity (every_length
      (fun i => (o / M / g + w * i) / q' - (q' - 1 - o / g + w * i) / q')).
    - apply every_length_slope with (k := k). intros i _.
      rewrite Ht at 2. rewrite coarse_walk by assumption.
      replace (o + t * i) with (o + - u * i + k * i * m) by (unfold u; ring).
      rewrite Z.div_add by lia.
      rewrite Hu, Hm'. rewrite <- Z.mul_opp_l. rewrite !floor_is_walk by assumption.
      replace (o / g + - w * i) with (- (w * i - o / g)) by ring.
      rewrite floor_negative by assumption.
      replace (w * i - o / g + (q' - 1)) with (q' - 1 - o / g + w * i) by ring. ring.
    - rewrite walks_in_step by assumption. rewrite mirror_residue by assumption. lia. }
  split.
  - intros H. assert (Hd : exists k, t * (M + 1) = k * (m * M)).
    { destruct H as (c & k & H). exists k.
      pose proof (H 0 ltac:(lia)) as H0. pose proof (H (m * M) ltac:(nia)) as H1.
      destruct (over_a_period o t m M Hm HM) as [P1 P2]. rewrite P1, P2 in H1.
      rewrite !Z.mul_0_r, !Z.add_0_r in H0. lia. }
    destruct Hd as [k Hk]. split; [exists k; exact Hk|]. now apply (Main k Hk).
  - intros [[k Hk] Hcell]. now apply (Main k Hk).
Qed.

(** The running examples. *)
Example family_opposite_example : every_length (fun i => (0 + 6 * i) / 4 - (0 + 6 * i) / (4 * 3)).
Proof. apply family_opposite; [lia | lia |]. split; [exists 1|]; reflexivity. Qed.

Example family_equal_example : every_length (fun i => (2 + 5 * i) / 3 + (2 + 5 * i) / (3 * 5)).
Proof. apply family_equal; [lia | lia |]. split; [exists 2|]; reflexivity. Qed.
