(** * Certificates: answers with proofs that anybody can check

    A certificate is an answer about a chain together with what it takes to be
    sure of it, without walking an index: docs/certificates.md. There are four:

    - the chain is this one view: proofs that nothing outside the view's box is
      valid, that everything inside is, and that the positions are the same;
    - it is no one view: a witness;
    - two chains are the same function: proofs, much like the first;
    - two chains differ: an index at which they do.

    Example: (2,2):(2,1) seen through (4):(1) is (4):(1). Nothing is masked, so two
    proofs are asked for, that the position less x is never 1 or more, and never
    -1 or less. It is 2q + (x - 2q) - x = 0, so either row is absurd as it stands.

    [certificate_sound] says that whatever [accepts] accepts is true. The numbers may
    be of any size. Where a proof came from does not matter. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Hole Checker System Encoding Claims.
Import ListNotations.
Open Scope Z_scope.

(** ** Views and chains *)

Fixpoint intervals_fit (s : list Z) (b : box) : bool :=
  match s, b with
  | [], [] => true
  | n :: s', (lo, hi) :: b' => (0 <=? lo) && (lo <? hi) && (hi <=? n) && intervals_fit s' b'
  | _, _ => false
  end.

(** What a certificate may have as a view. *)
Definition acceptable (v : view) : bool :=
  well_formedb v
  && ((count (shape v) =? 0)
      || match mask v with Box b => intervals_fit (shape v) b | _ => true end).

(** Views, memory side first, as what is below the last one and the last one. *)
Definition chain_of (views : list view) : option (list view * view) :=
  match rev views with
  | [] => None
  | top :: below =>
      if forallb acceptable views
      then match first_offending below top with None => Some (below, top) | Some _ => None end
      else None
  end.

(** These views, memory side first, are a chain that composes. *)
Definition composes (views : list view) (below : list view) (top : view) : Prop :=
  views = rev below ++ [top] /\ Forall well_formed views /\ stages_fit below top.

Lemma chain_of_sound : forall views below top,
  chain_of views = Some (below, top) ->
  composes views below top /\ Forall well_formed below /\ well_formed top /\ composable below top.
Proof.
  intros views below top H. unfold chain_of in H.
  destruct (rev views) as [|t b] eqn:E; [discriminate|].
  destruct (forallb acceptable views) eqn:F; [|discriminate].
  destruct (first_offending b t) eqn:O; [discriminate|]. injection H as -> ->.
  assert (Ev : views = rev below ++ [top]).
  { rewrite <- (rev_involutive views), E. reflexivity. }
  assert (Hw : Forall well_formed views).
  { apply Forall_forall. intros v Hv. rewrite forallb_forall in F. specialize (F v Hv).
    apply andb_true_iff in F as [F _]. now apply well_formedb_spec. }
  pose proof Hw as Hw'. rewrite Ev in Hw'. apply Forall_app in Hw' as [Hb Ht].
  apply Forall_rev in Hb. rewrite rev_involutive in Hb. apply Forall_inv in Ht.
  pose proof (first_offending_correct below top Hb Ht) as Hf. rewrite O in Hf.
  repeat split; auto; try apply Ht. now apply stages_fit_composable.
Qed.

(** ** Tasks and their proofs *)

Definition same_side (s t : side) : bool :=
  match s, t with Low, Low | High, High => true | _, _ => false end.

Definition same_claim (a b : claim) : bool :=
  match a, b with
  | Empty c, Empty c' => Nat.eqb c c'
  | Outside l s, Outside l' s' => Nat.eqb l l' && same_side s s'
  | Hole c m j s, Hole c' m' j' s' =>
      Nat.eqb c c' && Nat.eqb m m' && Nat.eqb j j' && same_side s s'
  | Above, Above | Below, Below => true
  | _, _ => false
  end.

(** As many proofs as tasks, and each task has a proof that holds. *)
Definition settled (variables : nat) (tasks : list task) (proofs : list (claim * proof)) : bool :=
  Nat.eqb (length proofs) (length tasks)
  && forallb
       (fun t =>
          match find (fun p => same_claim (fst p) (fst t)) proofs with
          | Some p => refutes variables (snd t) (snd p)
          | None => false
          end)
       tasks.

Lemma settled_sound : forall variables tasks proofs,
  settled variables tasks proofs = true -> Forall task_unsolvable tasks.
Proof.
  intros variables tasks proofs H. apply andb_true_iff in H as [_ H].
  rewrite forallb_forall in H. apply Forall_forall. intros t Ht. specialize (H t Ht).
  simpl in H. destruct (find _ proofs) as [p|]; [|discriminate].
  eapply refutes_sound, H.
Qed.

(** ** Certificates *)

(** Why a chain is no one view, with the steps that are claimed. *)
Inductive evidence :=
  | Gap (x y z : list Z)
  | Steps (axis : nat) (i : list Z) (s : Z) (j : list Z) (t : Z).

Inductive certificate :=
  | IsView (views : list view) (w : view) (proofs : list (claim * proof))
  | IsNoView (views : list view) (e : evidence)
  | AreEqual (views other : list view) (proofs : list (claim * proof))
  | AreDifferent (views other : list view) (at_ : option (list Z)).

(** *** What they claim *)

Definition evidence_holds (f : reading) (e : evidence) : Prop :=
  match e with
  | Gap x y z => witness_holds f (HoleAt x y z)
  | Steps l i s j t =>
      witness_holds f (StepsAt l i j)
      /\ value f (step i l) - value f i = s /\ value f (step j l) - value f j = t
  end.

Definition claimed (c : certificate) : Prop :=
  match c with
  | IsView views w _ =>
      exists below top, composes views below top
      /\ well_formed w /\ shape w = shape top
      /\ same_function (view_reading w) (stack below top)
  | IsNoView views e =>
      exists below top, composes views below top
      /\ evidence_holds (stack below top) e
      /\ ~ mergeable (shape top) (stack below top)
  | AreEqual views other _ =>
      exists below top below' top', composes views below top /\ composes other below' top'
      /\ shape top = shape top'
      /\ same_function (stack below top) (stack below' top')
  | AreDifferent views other at_ =>
      exists below top below' top', composes views below top /\ composes other below' top'
      /\ match at_ with
         | None => shape top <> shape top'
         | Some i =>
             shape top = shape top' /\ in_shape (shape top) i
             /\ ~ same_function (stack below top) (stack below' top')
         end
  end.

(** *** When they are accepted *)

(** The chain moves by this much. *)
Definition moves_by (at_ : list Z -> option Z) (l : nat) (i : list Z) (s : Z) : bool :=
  match at_ i, at_ (step i l) with
  | Some a, Some b => b - a =? s
  | _, _ => false
  end.

Definition check_evidence (below : list view) (top : view) (e : evidence) : bool :=
  match e with
  | Gap x y z => check_witness below top (HoleAt x y z)
  | Steps l i s j t =>
      let at_ := evaluate (map prepare below) top in
      check_witness below top (StepsAt l i j) && moves_by at_ l i s && moves_by at_ l j t
  end.

Definition differ_at (below : list view) (top : view) (below' : list view) (top' : view)
    (i : list Z) : bool :=
  match evaluate (map prepare below) top i, evaluate (map prepare below') top' i with
  | Some a, Some b => negb (a =? b)
  | None, None => false
  | _, _ => true
  end.

Definition settled_tasks (tasks : option (nat * list task)) (proofs : list (claim * proof)) : bool :=
  match tasks with
  | Some (variables, tasks) => settled variables tasks proofs
  | None => false
  end.

Definition accepts (c : certificate) : bool :=
  match c with
  | IsView views w proofs =>
      match chain_of views with
      | Some (below, top) =>
          acceptable w && settled_tasks (tasks_of_merged below top w) proofs
      | None => false
      end
  | IsNoView views e =>
      match chain_of views with
      | Some (below, top) => check_evidence below top e
      | None => false
      end
  | AreEqual views other proofs =>
      match chain_of views, chain_of other with
      | Some (below, top), Some (below', top') =>
          settled_tasks (tasks_of_equal below top below' top') proofs
      | _, _ => false
      end
  | AreDifferent views other at_ =>
      match chain_of views, chain_of other with
      | Some (below, top), Some (below', top') =>
          match at_ with
          | None => negb (same_index (shape top) (shape top'))
          | Some i =>
              same_index (shape top) (shape top') && in_shapeb (shape top) i
              && differ_at below top below' top' i
          end
      | _, _ => false
      end
  end.

(** *** What is accepted is true *)

Lemma moves_by_sound : forall below top l i s,
  Forall well_formed below ->
  moves_by (evaluate (map prepare below) top) l i s = true ->
  value (stack below top) (step i l) - value (stack below top) i = s.
Proof.
  intros below top l i s Hb H. unfold moves_by in H.
  pose proof (evaluate_spec below top i Hb) as E.
  pose proof (evaluate_spec below top (step i l) Hb) as E'.
  destruct (evaluate _ top i); [|discriminate].
  destruct (evaluate _ top (step i l)); [|discriminate].
  destruct E as [_ ->], E' as [_ ->]. now apply Z.eqb_eq.
Qed.

Lemma check_evidence_sound : forall below top e,
  Forall well_formed below -> check_evidence below top e = true ->
  evidence_holds (stack below top) e /\ ~ mergeable (shape top) (stack below top).
Proof.
  intros below top e Hb H. destruct e as [x y z|l i s j t]; cbn [check_evidence] in H.
  - apply check_witness_correct in H; [|exact Hb]. split; [exact H | eapply witness_sound, H].
  - apply andb_true_iff in H as [H Hj]. apply andb_true_iff in H as [H Hi].
    apply check_witness_correct in H; [|exact Hb].
    split; [|eapply witness_sound, H]. split; [exact H|]. split; now apply moves_by_sound.
Qed.

Lemma differ_at_sound : forall below top below' top' i,
  Forall well_formed below -> Forall well_formed below' ->
  differ_at below top below' top' i = true ->
  ~ same_function (stack below top) (stack below' top').
Proof.
  intros below top below' top' i Hb Hb' H [Hd Hv]. unfold differ_at in H.
  pose proof (evaluate_spec below top i Hb) as E.
  pose proof (evaluate_spec below' top' i Hb') as E'.
  specialize (Hd i). specialize (Hv i).
  destruct (evaluate _ top i), (evaluate _ top' i); try tauto; try discriminate.
  destruct E as [D E], E' as [_ E']. apply negb_true_iff, Z.eqb_neq in H.
  specialize (Hv D). congruence.
Qed.

Lemma same_index_refl : forall x, same_index x x = true.
Proof. induction x as [|a x IH]; simpl; auto. now rewrite Z.eqb_refl. Qed.

Lemma settled_tasks_sound : forall tasks proofs,
  settled_tasks tasks proofs = true ->
  exists variables l, tasks = Some (variables, l) /\ Forall task_unsolvable l.
Proof.
  intros [[variables l]|] proofs H; [|discriminate].
  exists variables, l. split; [reflexivity | eapply settled_sound, H].
Qed.

(** Every accepted certificate is true. *)
Theorem certificate_sound : forall c, accepts c = true -> claimed c.
Proof.
  intros [views w proofs|views e|views other proofs|views other at_] H; simpl in H |- *.
  - destruct (chain_of views) as [[below top]|] eqn:E; [|discriminate].
    apply chain_of_sound in E as (Hv & Hb & Ht & Hc). exists below, top. split; [exact Hv|].
    apply andb_true_iff in H as [Hw H]. apply andb_true_iff in Hw as [Hw _].
    apply well_formedb_spec in Hw. split; [exact Hw|].
    apply settled_tasks_sound in H as (variables & tasks & Et & H).
    eapply tasks_of_merged_sound; eauto.
  - destruct (chain_of views) as [[below top]|] eqn:E; [|discriminate].
    apply chain_of_sound in E as (Hv & Hb & Ht & Hc). exists below, top. split; [exact Hv|].
    now apply check_evidence_sound.
  - destruct (chain_of views) as [[below top]|] eqn:E; [|discriminate].
    destruct (chain_of other) as [[below' top']|] eqn:E'; [|discriminate].
    apply chain_of_sound in E as (Hv & Hb & Ht & Hc), E' as (Hv' & Hb' & Ht' & Hc').
    exists below, top, below', top'. split; [exact Hv|]. split; [exact Hv'|].
    apply settled_tasks_sound in H as (variables & tasks & Et & H).
    eapply tasks_of_equal_sound; eauto.
  - destruct (chain_of views) as [[below top]|] eqn:E; [|discriminate].
    destruct (chain_of other) as [[below' top']|] eqn:E'; [|discriminate].
    apply chain_of_sound in E as (Hv & Hb & Ht & Hc), E' as (Hv' & Hb' & Ht' & Hc').
    exists below, top, below', top'. split; [exact Hv|]. split; [exact Hv'|].
    destruct at_ as [i|].
    + apply andb_true_iff in H as [H Hd]. apply andb_true_iff in H as [Es Hi].
      split; [now apply same_index_spec|]. split; [now apply in_shapeb_spec|].
      eapply differ_at_sound; eauto.
    + intros Es. rewrite Es, same_index_refl in H. discriminate.
Qed.

(** In the words of [Views.v]: an accepted view answers the question whether the chain is one. *)
Corollary certificate_mergeable : forall views w proofs,
  accepts (IsView views w proofs) = true ->
  exists below top, composes views below top /\ mergeable (shape top) (stack below top).
Proof.
  intros views w proofs H. apply certificate_sound in H as (below & top & Hv & Hw & Es & Hf).
  exists below, top. split; [exact Hv|]. now exists w.
Qed.

(** A chain has no certificates of both kinds. *)
Corollary certificates_agree : forall views w proofs e,
  accepts (IsView views w proofs) = true -> accepts (IsNoView views e) = false.
Proof.
  intros views w proofs e H. destruct (accepts (IsNoView views e)) eqn:E; [|reflexivity].
  apply certificate_mergeable in H as (below & top & Hv & Hm).
  apply certificate_sound in E as (below' & top' & Hv' & _ & Hn). exfalso. apply Hn.
  assert (Et : rev below ++ [top] = rev below' ++ [top']) by (destruct Hv, Hv'; congruence).
  apply app_inj_tail in Et as [Eb ->].
  rewrite <- (rev_involutive below), Eb, rev_involutive in Hm. exact Hm.
Qed.

(** The example at the head of this file, which is the one of docs/certificates.md: row
    3 of either system says that 0 is at least 1, or at most -1. *)
Example accepted :
  let lower := View [2; 2] [2; 1] 0 All in
  let upper := View [4] [1] 0 All in
  accepts (IsView [lower; upper] upper
             [(Above, Absurd [(3%nat, Low, 1)]); (Below, Absurd [(3%nat, High, 1)])]) = true.
Proof. reflexivity. Qed.

(** The stride of w is off by one: the same proofs prove nothing. *)
Example not_accepted :
  let lower := View [2; 2] [2; 1] 0 All in
  let upper := View [4] [1] 0 All in
  accepts (IsView [lower; upper] (View [4] [2] 0 All)
             [(Above, Absurd [(3%nat, Low, 1)]); (Below, Absurd [(3%nat, High, 1)])]) = false.
Proof. reflexivity. Qed.
