(** * How many ways there are

    The number of ways of an expression is a sum of products, which is quick to compute even if it is
    large: forty choices one after the other have 2^40 ways. A certificate needs a proof for each, so
    one with another number of proofs is refused before any way is built.

    [question_tally_right]: the number is right. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists System Expressions.
Import ListNotations.
Open Scope Z_scope.

Definition summed (l : list Z) : Z := fold_right Z.add 0 l.

(** In how many ways a condition holds, and in how many it does not. *)
Definition chosen (b : bool) (tally : Z * Z) : Z := if b then fst tally else snd tally.

Definition joined_tally (all b : bool) (tallies : list (Z * Z)) : Z :=
  (if Bool.eqb all b then count else summed) (map (chosen b) tallies).

Definition ends_tally (o : ordering) : Z := match o with Unequal => 2 | _ => 1 end.

Fixpoint tally (e : expression) : Z :=
  match e with
  | Number _ | Input _ => 1
  | Sum parts => count (tallies parts)
  | Times _ a | Quotient a _ | Rest a _ => tally a
  | Extreme _ first others =>
      tally first * count (tallies others) * (1 + Z.of_nat (length (tallies others)))
  | Where c a b => let t := condition_tally c in fst t * tally a + snd t * tally b
  end
with tallies (es : expressions) : list Z :=
  match es with
  | NoPart => []
  | Part a rest => tally a :: tallies rest
  end
with condition_tally (c : condition) : Z * Z :=
  match c with
  | Compare a o b =>
      let k := tally a * tally b in (k * ends_tally o, k * ends_tally (opposite o))
  | Joined all parts =>
      let l := condition_tallies parts in (joined_tally all true l, joined_tally all false l)
  | Not c => let t := condition_tally c in (snd t, fst t)
  end
with condition_tallies (cs : conditions) : list (Z * Z) :=
  match cs with
  | NoCondition => []
  | Also c rest => condition_tally c :: condition_tallies rest
  end.

Definition counts_tally (p : partial) (b : bool) : Z :=
  match counts p with
  | Some c => chosen b (condition_tally c)
  | None => if b then 1 else 0
  end.

Definition question_tally (one two : partial) (q : question) : Z :=
  match q with
  | IsAbove | IsBelow => counts_tally one true * (tally (what one) * tally (what two))
  | IsLost => counts_tally one true * counts_tally two false
  | IsGained => counts_tally two true * counts_tally one false
  end.

(** ** It is right *)

Lemma flat_map_tally : forall {A B} (f : A -> list B) l k,
  (forall a, In a l -> Z.of_nat (length (f a)) = k) ->
  Z.of_nat (length (flat_map f l)) = Z.of_nat (length l) * k.
Proof.
  intros A B f l k. induction l as [|a l IH]; intros H; [reflexivity|]. cbn [flat_map length].
  rewrite app_length, Nat2Z.inj_add, IH, H; [lia | now left | intros; apply H; now right].
Qed.

Lemma picks_length : forall after before, length (picks before after) = length after.
Proof. induction after as [|f after IH]; intros before; cbn; auto. Qed.

Lemma choices_tally : forall s forms w,
  Z.of_nat (length (choices s forms w)) = Z.of_nat (length forms).
Proof. intros. unfold choices. now rewrite map_length, picks_length. Qed.

Lemma parts_length : forall n es w fs w',
  In (fs, w') (ways_of_parts n es w) -> length fs = length (tallies es).
Proof.
  intros n es. induction es as [|a rest IH]; intros w fs w' H; cbn [ways_of_parts tallies] in *.
  - destruct H as [H|[]]. now injection H as <- <-.
  - apply in_flat_map in H as ([f w1] & _ & H). apply in_map_iff in H as ([fs' w2] & E & H).
    injection E as <- <-. cbn [length fst]. f_equal. eapply IH, H.
Qed.

Lemma ends_tally_right : forall o, Z.of_nat (length (ends o)) = ends_tally o.
Proof. intros []; reflexivity. Qed.

Theorem tally_right : forall n,
  (forall e w, Z.of_nat (length (ways n e w)) = tally e)
  /\ (forall es w, Z.of_nat (length (ways_of_parts n es w)) = count (tallies es))
  /\ (forall c b w, Z.of_nat (length (condition_ways n c b w)) = chosen b (condition_tally c))
  /\ (forall cs b w,
        Z.of_nat (length (in_turn n cs b w)) = count (map (chosen b) (condition_tallies cs))
        /\ Z.of_nat (length (one_of n cs b w)) = summed (map (chosen b) (condition_tallies cs))).
Proof.
  intros n. apply tree_induction; try reflexivity;
    try (intros; cbn [ways tally]; rewrite map_length; auto; fail).
  - intros s first IH others IHs w. cbn [ways tally].
    set (k := 1 + Z.of_nat (length (tallies others))).
    rewrite (flat_map_tally _ _ (count (tallies others) * k)), IH; [ring|].
    intros p _. rewrite (flat_map_tally _ _ k), IHs; [reflexivity|]. intros [fs w'] Hr.
    rewrite choices_tally. cbn [length fst]. rewrite (parts_length _ _ _ _ _ Hr). unfold k. lia.
  - intros c IHc a IHa b IHb w. cbn [ways tally]. rewrite app_length, Nat2Z.inj_add.
    rewrite (flat_map_tally _ _ (tally a)), (flat_map_tally _ _ (tally b)), !IHc by auto. reflexivity.
  - intros a IHa rest IHr w. cbn [ways_of_parts tallies count fold_right].
    rewrite (flat_map_tally _ _ (count (tallies rest))), IHa; [reflexivity|].
    intros p _. now rewrite map_length.
  - intros a IHa o b IHb t w. cbn [condition_ways condition_tally].
    rewrite (flat_map_tally _ _ (tally b * ends_tally (if t then o else opposite o))), IHa.
    + destruct t; cbn [chosen fst snd]; ring.
    + intros p _. rewrite (flat_map_tally _ _ (ends_tally (if t then o else opposite o))), IHb;
        [reflexivity|].
      intros r _. rewrite map_length. apply ends_tally_right.
  - intros all parts IH b w. cbn [condition_ways condition_tally].
    unfold joined_tally. destruct (IH b w) as [I1 I2].
    destruct b, all; cbn [Bool.eqb chosen fst snd]; auto.
  - intros c IH b w. cbn [condition_ways condition_tally]. rewrite IH. destruct b; reflexivity.
  - intros b w. split; reflexivity.
  - intros c IHc rest IHr b w. cbn [in_turn one_of condition_tallies map count summed fold_right]. split.
    + erewrite flat_map_tally; [rewrite IHc; reflexivity|]. intros w' _. apply IHr.
    + rewrite app_length, Nat2Z.inj_add, IHc. f_equal. apply IHr.
Qed.

Lemma counts_tally_right : forall n p b w,
  Z.of_nat (length (counts_ways n p b w)) = counts_tally p b.
Proof.
  intros n p b w. unfold counts_ways, counts_tally. destruct (counts p) as [c|].
  - apply tally_right.
  - destruct b; reflexivity.
Qed.

Theorem question_tally_right : forall n one two q,
  Z.of_nat (length (question_ways n one two q)) = question_tally one two q.
Proof.
  intros n one two q.
  assert (D : forall e, Z.of_nat (length (difference_ways n one two e))
                        = counts_tally one true * (tally (what one) * tally (what two))).
  { intros e. unfold difference_ways.
    rewrite (flat_map_tally _ _ (tally (what one) * tally (what two))), counts_tally_right;
      [reflexivity|].
    intros w _. rewrite (flat_map_tally _ _ (tally (what two))); [f_equal; apply tally_right|].
    intros p _. rewrite map_length. apply tally_right. }
  destruct q; cbn [question_ways question_tally]; auto;
    (erewrite flat_map_tally; [rewrite counts_tally_right; reflexivity|]);
    intros w _; apply counts_tally_right.
Qed.
