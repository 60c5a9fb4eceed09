(** * Where a sum of products is least and most on a box

    Along each axis a sum of products travels as far as the stride and the extent allow, up or down.
    So it is least and most at two corners of the box, which the signs of the strides determine.

    Example: 2x - 3y for 0 <= x < 4, 0 <= y < 2 is least at (0,1), where it is -3, and most at
    (3,0), where it is 6. *)

From Coq Require Import ZArith List Lia.
From Viewmerge Require Import Views Lists.
Import ListNotations.
Open Scope Z_scope.

(** The least a sum can travel from the low corner: add up the negative travels. *)
Fixpoint least_travel (r : list Z) (b : box) : Z :=
  match r, b with
  | x :: r', (lo, hi) :: b' => Z.min 0 (x * (hi - 1 - lo)) + least_travel r' b'
  | _, _ => 0
  end.

(** The most is the least of the sum with all signs changed. *)
Definition most_travel (r : list Z) (b : box) : Z := - least_travel (map Z.opp r) b.

Lemma dot_opp : forall r i, dot (map Z.opp r) i = - dot r i.
Proof.
  induction r as [| x r IH]; intros [| y i]; try reflexivity. cbn [map dot]. rewrite IH. ring.
Qed.

Lemma least_travel_bound : forall r b i,
  length r = length b -> in_box b i -> least_travel r b <= dot r i - dot r (low b).
Proof.
  induction r as [| x r IH]; intros [| [lo hi] b] [| y i] Hlen Hi;
    try discriminate; try contradiction; cbn [least_travel dot].
  destruct Hi as [Hy Hi]. injection Hlen as Hlen.
  specialize (IH b i Hlen Hi).
  change (low ((lo, hi) :: b)) with (lo :: low b). cbn [dot].
  assert (Hxy : Z.min 0 (x * (hi - 1 - lo)) <= x * (y - lo))
    by (destruct (Z.le_gt_cases 0 x); nia).
  lia.
Qed.

Lemma travel_bounds : forall r b i,
  length r = length b -> in_box b i ->
  least_travel r b <= dot r i - dot r (low b) <= most_travel r b.
Proof.
  intros r b i Hlen Hi. split; [now apply least_travel_bound |].
  pose proof (least_travel_bound (map Z.opp r) b i) as H. rewrite map_length, !dot_opp in H.
  specialize (H Hlen Hi). unfold most_travel. lia.
Qed.

(** The low end of an axis, or the high end. *)
Definition end_of (high : bool) (p : Z * Z) : Z := if high then snd p - 1 else fst p.

(** The corner where the least is reached, and the one where the most is. *)
Fixpoint least_corner (r : list Z) (b : box) : list Z :=
  match r, b with
  | x :: r', p :: b' => end_of (x <? 0) p :: least_corner r' b'
  | _, _ => []
  end.

Definition most_corner (r : list Z) (b : box) : list Z := least_corner (map Z.opp r) b.

Lemma least_corner_reached : forall r b,
  length r = length b -> in_box b (low b) ->
  in_box b (least_corner r b)
  /\ dot r (least_corner r b) - dot r (low b) = least_travel r b.
Proof.
  induction r as [| x r IH]; intros [| [lo hi] b] Hlen Hne; try discriminate.
  - split; [exact I | reflexivity].
  - injection Hlen as Hlen. destruct Hne as [Hlo Hne]. cbn [fst] in Hlo.
    destruct (IH b Hlen Hne) as [Hin Hdot].
    change (low ((lo, hi) :: b)) with (lo :: low b).
    cbn [least_corner least_travel dot in_box].
    destruct (Z.ltb_spec x 0) as [Hx | Hx]; cbn [end_of fst snd];
      (split; [split; [lia | assumption] |]); nia.
Qed.

Lemma most_corner_reached : forall r b,
  length r = length b -> in_box b (low b) ->
  in_box b (most_corner r b)
  /\ dot r (most_corner r b) - dot r (low b) = most_travel r b.
Proof.
  intros r b Hlen Hne.
  destruct (least_corner_reached (map Z.opp r) b) as [Hin Hdot]; [now rewrite map_length | assumption |].
  rewrite !dot_opp in Hdot. unfold most_corner, most_travel. split; [exact Hin | lia].
Qed.

(** So no index of the box has a smaller, or a larger, sum. *)
Lemma corners_extreme : forall r b,
  length r = length b -> in_box b (low b) ->
  in_box b (least_corner r b) /\ in_box b (most_corner r b)
  /\ forall i, in_box b i -> dot r (least_corner r b) <= dot r i <= dot r (most_corner r b).
Proof.
  intros r b Hlen Hne.
  destruct (least_corner_reached r b Hlen Hne) as [L1 L2].
  destruct (most_corner_reached r b Hlen Hne) as [M1 M2].
  split; [exact L1|]. split; [exact M1|].
  intros i Hi. pose proof (travel_bounds r b i Hlen Hi). lia.
Qed.
