(** * When is a floor affine on a box?

    Let n(i) = a + sum of t_l * i_l be a position that depends on an index, as
    the position a view produces does, and let [m] be the modulus of a level.
    This file decides from two corners whether floor(n(i) / m) is an affine function of
    [i] on a box.

    Stand at the low corner of the box, where the position is n0. Stepping along
    axis l adds t_l to the position and

<<
      alpha_l  =  floor((n0 + t_l) / m)  -  floor(n0 / m)      to the floor;
      r_l      =  t_l - m * alpha_l                            to the remainder.
>>

    If these steps add up everywhere, the remainder is the affine function

<<
      residue(i)  =  (n0 mod m)  +  sum of r_l * (i_l - low_l)
>>

    and a remainder lies in [0, m). The converse holds too: if this residue lies
    in [0, m) on the whole box, it is the remainder. So the floor is affine
    exactly if the residue stays in [0, m). An affine function is smallest and
    largest at corners, so two corners are enough. Leaving [0, m) is an
    _overflow_: a carry of mixed-radix addition.

    Example: floor(4i / 3) on a box (L): here alpha = 1, r = 1 and the residue at
    i is i. It stays below 3 up to L = 3 (values 0, 1, 2), and at L = 4 the floor
    is no longer affine: 0, 1, 2, 4. For floor(4i / 9) alpha = 0, r = 4, and the
    residue 4i is below 9 up to L = 3 as well.

    The theorems are [floor_affine_iff], [floor_affine_corners] and
    [floor_affine_slopes], for any box and any extents; those with names ending in
    [_shape] are about all the indices of a shape, where the low corner is zero. Axes of
    extent 1 are no special case: the residue does not travel along them. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Corners Criterion.
Import ListNotations.
Open Scope Z_scope.

(** ** The pieces *)

(** The floor of the position. *)
Definition floor_at (a : Z) (t : list Z) (m : Z) (i : list Z) : Z := (a + dot t i) / m.

(** What a step of [x] adds to the floor when it starts at [n]: alpha. *)
Definition carry (n m x : Z) : Z := (n + x) / m - n / m.

(** The rest of the step, which the remainder gets: r. *)
Definition rest (n m x : Z) : Z := x - m * carry n m x.

(** The position at the low corner of the box: n0. *)
Definition corner_position (b : box) (a : Z) (t : list Z) : Z := a + dot t (low b).

Definition carries (b : box) (a : Z) (t : list Z) (m : Z) : list Z :=
  map (carry (corner_position b a t) m) t.

Definition rests (b : box) (a : Z) (t : list Z) (m : Z) : list Z :=
  map (rest (corner_position b a t) m) t.

Definition residue (b : box) (a : Z) (t : list Z) (m : Z) (i : list Z) : Z :=
  corner_position b a t mod m
  + (dot (rests b a t m) i - dot (rests b a t m) (low b)).

Lemma carry_zero : forall n m, carry n m 0 = 0.
Proof. intros n m. unfold carry. rewrite Z.add_0_r. lia. Qed.

Lemma dot_rest : forall n m t i,
  dot (map (rest n m) t) i = dot t i - m * dot (map (carry n m) t) i.
Proof.
  intros n m. induction t as [| x t IH]; intros [| y i]; cbn [map dot]; try ring.
  rewrite IH. unfold rest. ring.
Qed.

(** The position is [m] times the affine candidate for its floor, plus the residue. *)
Lemma position_split : forall b a t m i,
  1 <= m ->
  a + dot t i
  = m * (corner_position b a t / m
         + (dot (carries b a t m) i - dot (carries b a t m) (low b)))
    + residue b a t m i.
Proof.
  intros b a t m i Hm. unfold residue, rests, carries. rewrite !dot_rest.
  rewrite Z.mod_eq by lia. unfold corner_position. ring.
Qed.

(** ** The slopes *)

(** An affine floor has the slopes alpha. On axes of extent 1 any slope will do. *)
Lemma affine_floor_value : forall b a t m i,
  length t = length b -> affine b (floor_at a t m) -> in_box b i ->
  floor_at a t m i
  = corner_position b a t / m
    + (dot (carries b a t m) i - dot (carries b a t m) (low b)).
Proof.
  intros b a t m i Hlen Haff Hi.
  rewrite (strides_at_low_corner b (floor_at a t m) (carries b a t m)); try assumption.
  - reflexivity.
  - unfold carries. now rewrite map_length.
  - intros l Hl _. unfold carries, floor_at.
    rewrite <- (carry_zero (corner_position b a t) m) at 1. rewrite map_nth.
    rewrite dot_step by now rewrite low_length.
    unfold carry, corner_position. do 2 f_equal. ring.
Qed.

(** ** Theorem: when the floor is affine, its slopes are the carries at the low corner. *)
Theorem floor_affine_slopes : forall b a t m,
  length t = length b -> affine b (floor_at a t m) ->
  affine_on b (floor_at a t m)
    (corner_position b a t / m - dot (carries b a t m) (low b)) (carries b a t m).
Proof.
  intros b a t m Hlen Haff. split.
  - unfold carries. now rewrite map_length.
  - intros i Hi. rewrite (affine_floor_value b) by assumption. ring.
Qed.

(** There are no other slopes, on axes with two indices or more. *)
Corollary floor_affine_slopes_unique : forall b a t m o slopes l,
  length t = length b -> affine_on b (floor_at a t m) o slopes ->
  (exists i, in_box b i) -> (l < length b)%nat -> 2 <= extent b l ->
  nth l slopes 0 = carry (corner_position b a t) m (nth l t 0).
Proof.
  intros b a t m o slopes l Hlen Haff Hne Hl Hext.
  assert (Hs := floor_affine_slopes b a t m Hlen (ex_intro _ o (ex_intro _ slopes Haff))).
  rewrite (strides_unique b _ _ _ _ _ l Haff Hs Hne Hl Hext).
  unfold carries. rewrite <- (carry_zero (corner_position b a t) m) at 1. apply map_nth.
Qed.

(** ** Theorem: a floor is affine exactly if its residue stays in [0, m). *)
Theorem floor_affine_iff : forall b a t m,
  1 <= m -> length t = length b ->
  affine b (floor_at a t m) <-> (forall i, in_box b i -> 0 <= residue b a t m i < m).
Proof.
  intros b a t m Hm Hlen. split.
  - intros Haff i Hi.
    pose proof (affine_floor_value b a t m i Hlen Haff Hi) as Hv.
    pose proof (position_split b a t m i Hm) as Hs. rewrite <- Hv in Hs.
    unfold floor_at in Hs.
    pose proof (Z.div_mod (a + dot t i) m ltac:(lia)) as Hd.
    pose proof (Z.mod_pos_bound (a + dot t i) m ltac:(lia)) as Hb. lia.
  - intro Hres.
    exists (corner_position b a t / m - dot (carries b a t m) (low b)), (carries b a t m).
    split; [unfold carries; now rewrite map_length |].
    intros i Hi. unfold floor_at. symmetry.
    apply Z.div_unique with (r := residue b a t m i); [left; auto |].
    rewrite (position_split b a t m i Hm) at 1. ring.
Qed.

(** ** Two corners are enough *)

(** ** Theorem: only the two extreme corners of the residue matter. *)
Theorem floor_affine_corners : forall b a t m,
  1 <= m -> length t = length b -> in_box b (low b) ->
  affine b (floor_at a t m)
  <-> 0 <= corner_position b a t mod m + least_travel (rests b a t m) b
      /\ corner_position b a t mod m + most_travel (rests b a t m) b < m.
Proof.
  intros b a t m Hm Hlen Hne.
  assert (Hr : length (rests b a t m) = length b)
    by (unfold rests; now rewrite map_length).
  rewrite floor_affine_iff by assumption. unfold residue. split.
  - intro H.
    destruct (least_corner_reached _ _ Hr Hne) as [Hl1 Hl2].
    destruct (most_corner_reached _ _ Hr Hne) as [Hm1 Hm2].
    pose proof (H _ Hl1). pose proof (H _ Hm1). lia.
  - intros H i Hi. pose proof (travel_bounds _ _ _ Hr Hi). lia.
Qed.

(** ** A decision procedure *)

(** The test by corners. On an empty box every function is affine. *)
Definition floor_affineb (b : box) (a : Z) (t : list Z) (m : Z) : bool :=
  negb (in_boxb b (low b))
  || ((0 <=? corner_position b a t mod m + least_travel (rests b a t m) b)
      && (corner_position b a t mod m + most_travel (rests b a t m) b <? m)).

(** Every function is affine on a box without an index. *)
Lemma affine_on_empty_box : forall b f, ~ in_box b (low b) -> affine b f.
Proof.
  intros b f Hempty. exists 0, (repeat 0 (length b)).
  split; [apply repeat_length |].
  intros i Hi. now apply box_low_in in Hi.
Qed.

Theorem floor_affineb_spec : forall b a t m,
  1 <= m -> length t = length b ->
  (floor_affineb b a t m = true <-> affine b (floor_at a t m)).
Proof.
  intros b a t m Hm Hlen. unfold floor_affineb.
  destruct (in_boxb b (low b)) eqn:E; cbn [negb orb].
  - apply in_boxb_spec in E. rewrite floor_affine_corners by assumption.
    now rewrite andb_true_iff, Z.leb_le, Z.ltb_lt.
  - split; [intros _ | reflexivity].
    apply affine_on_empty_box. intro H. apply in_boxb_spec in H. congruence.
Qed.

Corollary floor_affine_dec : forall b a t m,
  1 <= m -> length t = length b ->
  {affine b (floor_at a t m)} + {~ affine b (floor_at a t m)}.
Proof.
  intros b a t m Hm Hlen. pose proof (floor_affineb_spec b a t m Hm Hlen) as H.
  destruct (floor_affineb b a t m); [left | right]; intuition discriminate.
Qed.

(** ** All indices of a shape *)

Lemma low_box_of : forall e, low (box_of e) = repeat 0 (length e).
Proof.
  induction e as [| x e IH]; [reflexivity |].
  cbn [length repeat]. rewrite <- IH. reflexivity.
Qed.

Lemma corner_position_shape : forall e a t, corner_position (box_of e) a t = a.
Proof.
  intros e a t. unfold corner_position. rewrite low_box_of, dot_zeros_r. ring.
Qed.

Lemma residue_shape : forall e a t m i,
  residue (box_of e) a t m i = a mod m + dot (map (rest a m) t) i.
Proof.
  intros e a t m i. unfold residue, rests.
  rewrite corner_position_shape, low_box_of, dot_zeros_r. ring.
Qed.

Corollary floor_affine_iff_shape : forall e a t m,
  1 <= m -> length t = length e ->
  affine (box_of e) (floor_at a t m)
  <-> (forall i, in_shape e i -> 0 <= a mod m + dot (map (rest a m) t) i < m).
Proof.
  intros e a t m Hm Hlen.
  rewrite floor_affine_iff by (rewrite ?box_of_length; assumption).
  split; intros H i Hi; specialize (H i Hi); rewrite residue_shape in *; exact H.
Qed.

Corollary floor_affine_corners_shape : forall e a t m,
  1 <= m -> length t = length e -> Forall (fun x => 1 <= x) e ->
  affine (box_of e) (floor_at a t m)
  <-> 0 <= a mod m + least_travel (map (rest a m) t) (box_of e)
      /\ a mod m + most_travel (map (rest a m) t) (box_of e) < m.
Proof.
  intros e a t m Hm Hlen He.
  rewrite floor_affine_corners; unfold rests; rewrite ?corner_position_shape;
    try reflexivity; try assumption.
  - now rewrite box_of_length.
  - apply in_box_low. unfold box_of. rewrite Forall_map. cbn [fst snd].
    eapply Forall_impl; [| exact He]. cbv beta. intros x Hx. lia.
Qed.

Corollary floor_affine_slopes_shape : forall e a t m,
  length t = length e -> affine (box_of e) (floor_at a t m) ->
  affine_on (box_of e) (floor_at a t m) (a / m) (map (carry a m) t).
Proof.
  intros e a t m Hlen Haff.
  pose proof (floor_affine_slopes (box_of e) a t m) as H.
  rewrite box_of_length in H. specialize (H Hlen Haff).
  unfold carries in H. rewrite corner_position_shape, low_box_of, dot_zeros_r, Z.sub_0_r in H.
  exact H.
Qed.

(** The running example: floor(4i / 3) is affine for 3 indices, and not for 4. *)
Example floor_example :
  floor_affineb (box_of [3]) 0 [4] 3 = true /\ floor_affineb (box_of [4]) 0 [4] 3 = false.
Proof. split; reflexivity. Qed.
