(** * Certificates: answers with proofs that anybody can check

    A certificate is an answer about a chain with a proof that needs no walk through the
    indices: docs/certificates.md. There are eight kinds:

    - the chain is this one view: proofs that nothing outside the view's box is
      valid, that everything inside is, and that the positions are the same;
    - it is not one view: a witness;
    - two chains are the same function: proofs, much like the first;
    - two chains differ: an index at which they do;
    - two index expressions are the same at all points of some ranges: a proof for
      every way through their choices;
    - they are not: a point at which they differ;
    - views do not compose: a valid index of one that points outside the one below it;
    - a chain is not injective: two indices with the same position.

    Example: (2,2):(2,1) seen through (4):(1) is (4):(1). Nothing is masked, so two proofs
    are needed: that the position minus x is never 1 or more, and never -1 or less. It is
    2q + (x - 2q) - x = 0, so each row is absurd by itself.

    [certificate_sound] says that whatever [accepts] accepts is true. The numbers may
    be of any size. Where a proof came from does not matter. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Hole Checker System Encoding Claims Expressions Ways Tally.
Import ListNotations.
Open Scope Z_scope.

(** ** Views and chains *)

Fixpoint intervals_fit (s : list Z) (b : box) : bool :=
  match s, b with
  | [], [] => true
  | n :: s', (lo, hi) :: b' => (0 <=? lo) && (lo <? hi) && (hi <=? n) && intervals_fit s' b'
  | _, _ => false
  end.

(** The views that a certificate may contain. *)
Definition acceptable (v : view) : bool :=
  well_formedb v
  && ((count (shape v) =? 0)
      || match mask v with Box b => intervals_fit (shape v) b | _ => true end).

(** Views, memory side first, split into those below the last one and the last one. *)
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

(** *** The same for expressions *)

Definition same_question (p q : question) : bool :=
  match p, q with
  | IsAbove, IsAbove | IsBelow, IsBelow | IsLost, IsLost | IsGained, IsGained => true
  | _, _ => false
  end.

(** The proofs for the ways of a question, numbered from 0. *)
Definition case_proof := (question * nat * proof)%type.

(** Each of these ways, the first of which has the number [k], has a proof that holds. *)
Fixpoint cases_settled (ranges : list range_of) (q : question) (k : nat) (ws : list way)
    (proofs : list case_proof) : bool :=
  match ws with
  | [] => true
  | w :: ws' =>
      match find (fun p => same_question (fst (fst p)) q && Nat.eqb (snd (fst p)) k) proofs with
      | Some p =>
          if refutes (length ranges + length (divisions w)) (way_system ranges w) (snd p)
          then cases_settled ranges q (S k) ws' proofs
          else false
      | None => false
      end
  end.

Definition all_questions : list question := [IsAbove; IsBelow; IsLost; IsGained].

(** As many proofs as ways, and each way has one. *)
Definition questions_settled (ranges : list range_of) (one two : partial) (proofs : list case_proof)
  : bool :=
  if Z.of_nat (length proofs) =? summed (map (question_tally one two) all_questions) then
    forallb (fun q => cases_settled ranges q 0 (question_ways (length ranges) one two q) proofs)
            all_questions
  else false.

Lemma cases_settled_sound : forall ranges q ws k proofs,
  cases_settled ranges q k ws proofs = true ->
  Forall (fun w => unsolvable (rows_of (way_system ranges w))) ws.
Proof.
  induction ws as [|w ws IH]; intros k proofs H; [constructor|]. cbn [cases_settled] in H.
  destruct (find _ _) as [p|]; [|discriminate].
  destruct (refutes _ _ _) eqn:E; [|discriminate].
  constructor; [eapply refutes_sound, E | eapply IH, H].
Qed.

(** ** Certificates *)

(** Why a chain is not one view, with the claimed steps. *)
Inductive evidence :=
  | Gap (x y z : list Z)
  | Steps (axis : nat) (i : list Z) (s : Z) (j : list Z) (t : Z).

Inductive certificate :=
  | IsView (views : list view) (w : view) (proofs : list (claim * proof))
  | IsNoView (views : list view) (e : evidence)
  | AreEqual (views other : list view) (proofs : list (claim * proof))
  | AreDifferent (views other : list view) (at_ : option (list Z))
  | AreSame (ranges : list range_of) (one two : partial) (proofs : list case_proof)
  | AreNotSame (ranges : list range_of) (one two : partial) (point : list Z)
  | AreApart (views : list view) (number : nat) (i : list Z)
  | IsNotInjective (views : list view) (i j : list Z).

(** *** What they claim *)

Definition evidence_holds (f : reading) (e : evidence) : Prop :=
  match e with
  | Gap x y z => witness_holds f (HoleAt x y z)
  | Steps l i s j t =>
      witness_holds f (StepsAt l i j)
      /\ value f (step i l) - value f i = s /\ value f (step j l) - value f j = t
  end.

(** One is valid at the index and the other is not, or both are, with different values. *)
Definition differ_there (f g : reading) (i : list Z) : Prop :=
  (defined f i /\ ~ defined g i) \/ (~ defined f i /\ defined g i)
  \/ (defined f i /\ defined g i /\ value f i <> value g i).

Lemma differ_there_different : forall f g i, differ_there f g i -> ~ same_function f g.
Proof.
  intros f g i H [Hd Hv]. specialize (Hd i). specialize (Hv i).
  destruct H as [H|[H|(H & _ & Hn)]]; tauto.
Qed.

(** Two expressions of as many variables as there are ranges, with divisors above 0. *)
Definition sensible_pair (ranges : list range_of) (one two : partial) : bool :=
  sensible_partial (length ranges) one && sensible_partial (length ranges) two.

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
             /\ differ_there (stack below top) (stack below' top') i
         end
  | AreSame ranges one two _ =>
      sensible_pair ranges one two = true
      /\ forall x, Forall2 within_range ranges x -> meaning x one = meaning x two
  | AreNotSame ranges one two x =>
      sensible_pair ranges one two = true
      /\ Forall2 within_range ranges x /\ meaning x one <> meaning x two
  | AreApart views number i =>
      exists below top, views = rev below ++ [top] /\ Forall well_formed views
      /\ does_not_fit below top number i /\ ~ stages_fit below top
  | IsNotInjective views i j =>
      exists below top, composes views below top
      /\ i <> j /\ defined (stack below top) i /\ defined (stack below top) j
      /\ value (stack below top) i = value (stack below top) j
  end.

(** *** When they are accepted *)

(** The chain's value changes by this much. *)
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

Definition within_rangeb (r : range_of) (t : Z) : bool :=
  match fst r with Some a => a <=? t | None => true end
  && match snd r with Some b => t <=? b | None => true end.

Fixpoint within_ranges (ranges : list range_of) (x : list Z) : bool :=
  match ranges, x with
  | [], [] => true
  | r :: ranges', t :: x' => within_rangeb r t && within_ranges ranges' x'
  | _, _ => false
  end.

Definition same_meaning (a b : option Z) : bool :=
  match a, b with
  | Some u, Some v => u =? v
  | None, None => true
  | _, _ => false
  end.

(** The index is valid in view [number], and its position is outside the view below. *)
Definition points_outside (views : list view) (number : nat) (i : list Z) : bool :=
  match number with
  | O => false
  | S n =>
      match nth_error views n, nth_error views number with
      | Some lower, Some upper =>
          validb upper i && negb ((0 <=? index upper i) && (index upper i <? count (shape lower)))
      | _, _ => false
      end
  end.

Definition collide (below : list view) (top : view) (i j : list Z) : bool :=
  match evaluate (map prepare below) top i, evaluate (map prepare below) top j with
  | Some a, Some b => a =? b
  | _, _ => false
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
  | AreSame ranges one two proofs =>
      if sensible_pair ranges one two then questions_settled ranges one two proofs else false
  | AreNotSame ranges one two x =>
      if sensible_pair ranges one two && within_ranges ranges x
      then negb (same_meaning (meaning x one) (meaning x two))
      else false
  | AreApart views number i => forallb acceptable views && points_outside views number i
  | IsNotInjective views i j =>
      match chain_of views with
      | Some (below, top) => negb (same_index i j) && collide below top i j
      | None => false
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
  differ_there (stack below top) (stack below' top') i.
Proof.
  intros below top below' top' i Hb Hb' H. unfold differ_at in H.
  pose proof (evaluate_spec below top i Hb) as E.
  pose proof (evaluate_spec below' top' i Hb') as E'. unfold differ_there.
  destruct (evaluate _ top i), (evaluate _ top' i); try discriminate; [|tauto|tauto].
  destruct E as [D E], E' as [D' E']. apply negb_true_iff, Z.eqb_neq in H.
  right; right. repeat split; try apply D; try apply D'. congruence.
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

Lemma within_ranges_spec : forall ranges x,
  within_ranges ranges x = true -> Forall2 within_range ranges x.
Proof.
  induction ranges as [|[a b] ranges IH]; intros [|t x] H; try discriminate; constructor; cbn in H;
    apply andb_true_iff in H as [Ht H]; [|auto].
  apply andb_true_iff in Ht as [Ha Hb]. split; cbn; [destruct a | destruct b]; auto; now apply Z.leb_le.
Qed.

Lemma same_meaning_refl : forall a, same_meaning a a = true.
Proof. intros [u|]; [apply Z.eqb_refl | reflexivity]. Qed.

Lemma questions_settled_sound : forall ranges one two proofs,
  sensible_pair ranges one two = true -> questions_settled ranges one two proofs = true ->
  forall x, Forall2 within_range ranges x -> meaning x one = meaning x two.
Proof.
  intros ranges one two proofs Hp H x Hx.
  assert (Hl : length ranges = length x) by (clear - Hx; induction Hx; simpl; congruence).
  apply andb_true_iff in Hp as [P1 P2]. unfold questions_settled in H.
  destruct (_ =? _) in H; [|discriminate]. rewrite Hl in *.
  apply (questions_sound x one two P1 P2 ranges Hx). intros q.
  apply cases_settled_sound with q 0%nat proofs. rewrite forallb_forall in H. apply H.
  destruct q; cbn; tauto.
Qed.

Lemma points_outside_sound : forall views number i,
  forallb acceptable views = true -> points_outside views number i = true ->
  exists below top, views = rev below ++ [top] /\ Forall well_formed views
  /\ does_not_fit below top number i /\ ~ stages_fit below top.
Proof.
  intros views number i F H. destruct number as [|n]; [discriminate|]. cbn [points_outside] in H.
  destruct (nth_error views n) as [lower|] eqn:El; [|discriminate].
  destruct (nth_error views (S n)) as [upper|] eqn:Eu; [|discriminate].
  apply andb_true_iff in H as [Hv Hp]. apply validb_spec in Hv.
  destruct views as [|v views] using rev_ind; [destruct n; discriminate|]. clear IHviews.
  assert (D : does_not_fit (rev views) v (S n) i).
  { exists lower, upper, n. rewrite rev_involutive. split; [reflexivity|]. split; [exact El|].
    split; [exact Eu|]. split; [exact Hv|]. intros [H1 H2].
    apply negb_true_iff, andb_false_iff in Hp. rewrite Z.leb_gt, Z.ltb_ge in Hp. lia. }
  exists (rev views), v. rewrite rev_involutive. split; [reflexivity|]. split; [|split; [exact D|]].
  - apply Forall_forall. intros u Hu. rewrite forallb_forall in F. specialize (F u Hu).
    apply andb_true_iff in F as [F _]. now apply well_formedb_spec.
  - eapply does_not_fit_stages, D.
Qed.

Lemma collide_sound : forall below top i j,
  Forall well_formed below -> collide below top i j = true ->
  defined (stack below top) i /\ defined (stack below top) j
  /\ value (stack below top) i = value (stack below top) j.
Proof.
  intros below top i j Hb H. unfold collide in H.
  pose proof (evaluate_spec below top i Hb) as E. pose proof (evaluate_spec below top j Hb) as E'.
  destruct (evaluate _ top i); [|discriminate]. destruct (evaluate _ top j); [|discriminate].
  apply Z.eqb_eq in H as <-. destruct E as [D ->], E' as [D' ->]. auto.
Qed.

(** Every accepted certificate is true. *)
Theorem certificate_sound : forall c, accepts c = true -> claimed c.
Proof.
  intros [views w proofs|views e|views other proofs|views other at_|ranges one two proofs
         |ranges one two x|views number i|views i j] H; cbn [accepts claimed] in *.
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
  - destruct (sensible_pair ranges one two) eqn:P; [|discriminate]. split; [reflexivity|].
    now apply questions_settled_sound with proofs.
  - destruct (sensible_pair ranges one two) eqn:P; [|discriminate]. split; [reflexivity|].
    destruct (within_ranges ranges x) eqn:R; [|discriminate]. split; [now apply within_ranges_spec|].
    intros E. cbn [andb] in H. rewrite E, same_meaning_refl in H. discriminate.
  - apply andb_true_iff in H as [F H]. now apply points_outside_sound.
  - destruct (chain_of views) as [[below top]|] eqn:E; [|discriminate].
    apply chain_of_sound in E as (Hv & Hb & Ht & Hc). exists below, top. split; [exact Hv|].
    apply andb_true_iff in H as [Hn H]. split; [|now apply collide_sound].
    intros ->. rewrite same_index_refl in Hn. discriminate.
Qed.

(** In the words of [Views.v]: an accepted view answers the question whether the chain is one. *)
Corollary certificate_mergeable : forall views w proofs,
  accepts (IsView views w proofs) = true ->
  exists below top, composes views below top /\ mergeable (shape top) (stack below top).
Proof.
  intros views w proofs H. apply certificate_sound in H as (below & top & Hv & Hw & Es & Hf).
  exists below, top. split; [exact Hv|]. now exists w.
Qed.

(** No chain has certificates of both kinds. *)
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

(** The example at the head of this file, from docs/certificates.md: row 3 of the two
    systems is 0 >= 1 and 0 <= -1. *)
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

(** i // 2 * 2 + i % 2 is i where 0 <= i <= 9: the two forms are the same. *)
Example accepted_expression :
  let i := Input 0 in
  let digits := Sum (Part (Times 2 (Quotient i 2)) (Part (Rest i 2) NoPart)) in
  accepts (AreSame [(Some 0, Some 9)] (Partial digits None) (Partial i None)
             [(IsAbove, 0%nat, Absurd [(2%nat, Low, 1)]); (IsBelow, 0%nat, Absurd [(2%nat, High, 1)])])
  = true.
Proof. reflexivity. Qed.

(** -7 // 2 is -4, not -3, since division rounds down. *)
Example rounds_down :
  let half := Partial (Quotient (Input 0) 2) None in
  accepts (AreNotSame [(None, None)] half (Partial (Number (-3)) None) [-7]) = true
  /\ accepts (AreNotSame [(None, None)] half (Partial (Number (-4)) None) [-7]) = false.
Proof. split; reflexivity. Qed.
