(** * Plans: prices prove how much must be copied

    A graph's tensors fall into classes; a class is stored in one or several
    layouts. A _spot_ is a layout of a class. Every chooser (an operation, an
    input or an output of the graph) takes one configuration, which uses some
    spots and may have a cost. A plan stores all spots that are used. It costs the bytes
    of the stored spots and the costs of the configurations, minus one layout of every
    class, which is free and the same for all plans.

    Prices [v o s >= 0], which for every spot sum over the choosers to at most its bytes,
    prove a bound: every plan costs at least the sum of the least that each chooser can
    pay. Prices are integers over a denominator [D].

    Running example: a tensor of 96 bytes comes in row-major and is wanted transposed.
    Each of the two spots has one user, which may pay 96 for it. The prices add up to 192,
    minus the 96 of the free layout: at least 96 bytes are copied. *)

From Coq Require Import ZArith List Lia Bool.
Import ListNotations.
Open Scope Z_scope.

(** ** Sums over lists *)

Section Sums.

Context {A : Type}.

Fixpoint summed (f : A -> Z) (l : list A) : Z :=
  match l with
  | [] => 0
  | a :: rest => f a + summed f rest
  end.

Lemma summed_nonnegative : forall f l, (forall a, 0 <= f a) -> 0 <= summed f l.
Proof. intros f l Hf. induction l as [|a l IH]; simpl; [lia|]. specialize (Hf a). lia. Qed.

Lemma summed_below : forall f g l, (forall a, In a l -> f a <= g a) ->
  summed f l <= summed g l.
Proof.
  intros f g l H. induction l as [|a l IH]; simpl; [lia|].
  assert (f a <= g a) by (apply H; left; reflexivity).
  assert (summed f l <= summed g l) by (apply IH; intros b Hb; apply H; right; exact Hb).
  lia.
Qed.

Lemma summed_plus : forall f g l, summed (fun a => f a + g a) l = summed f l + summed g l.
Proof. intros. induction l as [|a l IH]; simpl; lia. Qed.

Lemma summed_times : forall D f l, summed (fun a => D * f a) l = D * summed f l.
Proof. intros. induction l as [|a l IH]; simpl; lia. Qed.

Lemma summed_app : forall f l m, summed f (l ++ m) = summed f l + summed f m.
Proof. intros. induction l as [|a l IH]; simpl; lia. Qed.

(** A list without repetitions that is contained in another has at most its sum. *)
Lemma summed_incl : forall f l m, (forall a, 0 <= f a) -> NoDup l -> incl l m ->
  summed f l <= summed f m.
Proof.
  intros f l. induction l as [|a l IH]; intros m Hf Hl Hm; simpl.
  - apply summed_nonnegative, Hf.
  - inversion Hl as [|? ? Hnot Hrest]; subst.
    assert (Hin : In a m) by (apply Hm; left; reflexivity).
    apply in_split in Hin. destruct Hin as [before [after Heq]]. subst m.
    assert (Hincl : incl l (before ++ after)).
    { intros b Hb. assert (Hb' : In b (before ++ a :: after)) by (apply Hm; right; exact Hb).
      apply in_app_or in Hb'. apply in_or_app. destruct Hb' as [|[->|]]; auto. contradiction. }
    specialize (IH (before ++ after) Hf Hrest Hincl).
    rewrite !summed_app in *. simpl. lia.
Qed.

(** A sum falls into two parts. *)
Lemma summed_filter : forall f keep l,
  summed f l = summed f (filter keep l) + summed f (filter (fun a => negb (keep a)) l).
Proof.
  intros f keep l. induction l as [|a l IH]; simpl; [lia|].
  destruct (keep a); simpl; lia.
Qed.

End Sums.

Lemma summed_swap : forall {A B : Type} (f : A -> B -> Z) l m,
  summed (fun a => summed (f a) m) l = summed (fun b => summed (fun a => f a b) l) m.
Proof.
  intros A B f l m. induction l as [|a l IH]; simpl.
  - induction m as [|b m IHm]; simpl; lia.
  - rewrite IH. rewrite <- summed_plus. reflexivity.
Qed.

(** ** Weak duality *)

Section Plans.

Context {Chooser Spot : Type}.

(** [least o] is the least that chooser [o] can pay, so no more than it pays for the
    plan's configuration. *)
Theorem weak_duality :
  forall (D : Z) (bytes : Spot -> Z) (v : Chooser -> Spot -> Z)
         (choosers : list Chooser) (stored : list Spot)
         (uses : Chooser -> list Spot) (cost least : Chooser -> Z),
  (forall o s, 0 <= v o s) ->
  (forall s, summed (fun o => v o s) choosers <= D * bytes s) ->
  (forall o, In o choosers -> NoDup (uses o) /\ incl (uses o) stored) ->
  (forall o, In o choosers -> least o <= D * cost o + summed (v o) (uses o)) ->
  summed least choosers <= D * (summed bytes stored + summed cost choosers).
Proof.
  intros D bytes v choosers stored uses cost least Hv Hsum Huses Hleast.
  assert (Hpay : summed least choosers
                 <= summed (fun o => D * cost o + summed (v o) stored) choosers).
  { apply summed_below. intros o Ho. specialize (Hleast o Ho).
    destruct (Huses o Ho) as [Hnodup Hincl].
    pose proof (summed_incl (v o) (uses o) stored (Hv o) Hnodup Hincl). lia. }
  rewrite summed_plus, summed_times, summed_swap in Hpay.
  assert (Hprice : summed (fun s => summed (fun o => v o s) choosers) stored
                   <= summed (fun s => D * bytes s) stored)
    by (apply summed_below; intros s _; apply Hsum).
  rewrite summed_times in Hprice. lia.
Qed.

(** ** Layouts that are fixed

    If prices alone are not enough, layouts are fixed one after the other: a plan stores
    them or it does not. If it stores the spots that are [paid], their bytes are paid and
    their prices drop out. The plan cannot take configurations with a spot that is not
    stored, so [least] may ignore them. *)
Theorem weak_duality_paid :
  forall (D : Z) (bytes : Spot -> Z) (paid : Spot -> bool) (v : Chooser -> Spot -> Z)
         (choosers : list Chooser) (stored : list Spot)
         (uses : Chooser -> list Spot) (cost least : Chooser -> Z),
  let unpaid := fun s => negb (paid s) in
  (forall o s, 0 <= v o s) ->
  (forall s, summed (fun o => v o s) choosers <= D * bytes s) ->
  (forall o, In o choosers -> NoDup (uses o) /\ incl (uses o) stored) ->
  (forall o, In o choosers ->
     least o <= D * cost o + summed (v o) (filter unpaid (uses o))) ->
  D * summed bytes (filter paid stored) + summed least choosers
    <= D * (summed bytes stored + summed cost choosers).
Proof.
  intros D bytes paid v choosers stored uses cost least unpaid Hv Hsum Huses Hleast.
  assert (H : summed least choosers
              <= D * (summed bytes (filter unpaid stored) + summed cost choosers)).
  { apply weak_duality with (v := v) (uses := fun o => filter unpaid (uses o)); auto.
    intros o Ho. destruct (Huses o Ho) as [Hnodup Hincl]. split.
    - apply NoDup_filter, Hnodup.
    - intros s Hs. apply filter_In in Hs. apply filter_In. split; [apply Hincl|]; apply Hs. }
  rewrite (summed_filter bytes paid stored). subst unpaid. lia.
Qed.

(** Either a plan stores a layout or it does not, so a bound that holds in both cases holds. *)
Theorem fixing :
  (forall s t : Spot, {s = t} + {s <> t}) ->
  forall (P : list Spot -> Prop) (s : Spot),
  (forall stored, ~ In s stored -> P stored) ->
  (forall stored, In s stored -> P stored) ->
  forall stored, P stored.
Proof.
  intros dec P s Hwithout Hwith stored.
  destruct (in_dec dec s stored); auto.
Qed.

(** The cost of a plan is an integer, so a bound over a denominator may be rounded up. *)
Theorem rounding : forall D shown cost bound, 0 < D ->
  D * (bound - 1) < shown -> shown <= D * cost -> bound <= cost.
Proof. intros. nia. Qed.

End Plans.

(** The running example: spots [false], [true] of 96 bytes, an input and an output. *)
Example transposed_once :
  summed (fun _ : bool => 96) [false; true]
    <= 1 * (summed (fun _ : bool => 96) [false; true] + summed (fun _ : bool => 0) [false; true]).
Proof.
  apply weak_duality with
    (v := fun o s : bool => if Bool.eqb o s then 96 else 0)
    (uses := fun o : bool => [o]).
  - intros [] []; simpl; lia.
  - intros []; simpl; lia.
  - intros o _. split; [repeat constructor; simpl; tauto|].
    intros s [<-|[]]. destruct o; simpl; auto.
  - intros [] _; simpl; lia.
Qed.
