(** * Every point takes one of the ways

    [ways_cover]: at every point the quotients of division satisfy the rows of one of the ways
    of an expression, and the form has the value of the expression there. So if no way has a
    point, no point exists.

    Example: min(i, 5) has the ways i <= 5 with the form i, and 5 <= i with the form 5. i = 5
    satisfies both, every other i one of them.

    [questions_sound]: if no way of the four questions has a point in the ranges, two
    expressions are defined at the same points of the ranges and have the same value
    there. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists System Expressions.
Import ListNotations.
Open Scope Z_scope.

(** ** The parts *)

Lemma same_form_eq : forall f g, same_form f g = true -> f = g.
Proof.
  intros [a k] [b l] H. apply andb_true_iff in H as [Hk H]. apply Z.eqb_eq in Hk. cbn in Hk, H.
  f_equal; [|exact Hk]. clear Hk. revert b H.
  induction a as [|[v x] a IH]; intros [|[u y] b] H; try discriminate; auto. cbn in H.
  rewrite !andb_true_iff, Nat.eqb_eq, Z.eqb_eq in H. destruct H as [[-> ->] H]. f_equal. auto.
Qed.

Lemma foremost_spec : forall s first others,
  In (foremost s first others) (first :: others)
  /\ Forall (fun v => match s with Low => foremost s first others <= v
                                 | High => v <= foremost s first others end) (first :: others).
Proof.
  intros s first others. induction others as [|v vs [I1 I2]].
  { split; [now left|]. repeat constructor. destruct s; apply Z.le_refl. }
  set (d := foremost s first vs) in *.
  assert (E : foremost s first (v :: vs) = match s with Low => Z.min v d | High => Z.max v d end)
    by (destruct s; reflexivity).
  rewrite E. inversion I2 as [|? ? I3 I4]; subst. split.
  - destruct s; [destruct (Z.min_spec v d) as [[_ ->] | [_ ->]]
                |destruct (Z.max_spec v d) as [[_ ->] | [_ ->]]];
      simpl in *; tauto.
  - constructor; [destruct s; lia|]. constructor; [destruct s; lia|].
    eapply Forall_impl; [|exact I4]. intros u Hu. destruct s; lia.
Qed.

Lemma picks_in : forall after before f,
  In f after -> exists others, In (f, others) (picks before after) /\ incl others (before ++ after).
Proof.
  induction after as [|g after IH]; intros before f H; [destruct H|].
  destruct H as [->|H].
  - exists (rev_append before after). split; [now left|]. rewrite rev_append_rev. intros h Hh.
    apply in_app_iff in Hh as [Hh|Hh]; apply in_app_iff; [left; now apply in_rev | right; now right].
  - destruct (IH (g :: before) f H) as (others & H1 & H2). exists others. split; [now right|].
    intros h Hh. apply H2 in Hh. apply in_app_iff. simpl in Hh |- *.
    rewrite in_app_iff in Hh. tauto.
Qed.

Lemma ends_cover : forall o a b,
  ordered o a b = true ->
  exists e, In e (ends o)
  /\ match fst e with Some k => k <= a - b | None => True end
  /\ match snd e with Some k => a - b <= k | None => True end.
Proof.
  intros o a b H. destruct o; cbn in H;
    rewrite ?negb_true_iff, ?Z.ltb_lt, ?Z.leb_le, ?Z.eqb_eq, ?Z.eqb_neq in H;
    [eexists; split; [left; reflexivity | cbn; lia] .. |].
  destruct (Z_lt_le_dec a b); eexists;
    [split; [left; reflexivity | cbn; lia] | split; [right; left; reflexivity | cbn; lia]].
Qed.

Lemma opposite_ordered : forall o a b, ordered (opposite o) a b = negb (ordered o a b).
Proof.
  intros [] a b; cbn; rewrite ?negb_involutive, ?Z.leb_antisym, ?Z.ltb_antisym, ?negb_involutive;
    reflexivity.
Qed.

Lemma joined_cases : forall all b truths,
  joined all truths = b ->
  if Bool.eqb all b then forallb (Bool.eqb b) truths = true else existsb (Bool.eqb b) truths = true.
Proof.
  intros all b truths <-. unfold joined. destruct all.
  - induction truths as [|[] truths IH]; cbn [forallb existsb andb Bool.eqb]; auto.
    destruct (forallb (fun t => t) truths); cbn in *; auto.
  - induction truths as [|[] truths IH]; cbn [forallb existsb orb Bool.eqb]; auto.
    destruct (existsb (fun t => t) truths); cbn in *; auto.
Qed.

(** ** Covering *)

Section Covering.

Variable x : list Z.
Let n := length x.

(** The quotient variables have the values that division gives. *)
Fixpoint answered (z : list Z) (ds : list (form * Z)) : Prop :=
  match ds with
  | [] => True
  | (f, m) :: ds' => eval z (variable (n + length ds')) = eval z f / m /\ answered z ds'
  end.

(** The point with the quotients [qs] satisfies a way, whatever further variables there are. *)
Definition stands (qs : list Z) (w : way) : Prop :=
  length qs = length (divisions w)
  /\ forall tail, answered (x ++ qs ++ tail) (divisions w) /\ Forall (holds (x ++ qs ++ tail)) (passed w).

(** A form has this value there. *)
Definition means (qs : list Z) (f : form) (v : Z) : Prop :=
  forall tail, eval (x ++ qs ++ tail) f = v.

Definition later (qs qs' : list Z) : Prop := exists more, qs' = qs ++ more.

Lemma later_refl : forall qs, later qs qs.
Proof. intros qs. exists []. now rewrite app_nil_r. Qed.

Lemma later_trans : forall a b c, later a b -> later b c -> later a c.
Proof. intros a b c [u ->] [v ->]. exists (u ++ v). now rewrite app_assoc. Qed.

Lemma means_later : forall qs qs' f v, later qs qs' -> means qs f v -> means qs' f v.
Proof. intros qs qs' f v [more ->] H tail. rewrite <- app_assoc. apply H. Qed.

Lemma sum_means : forall qs fs vs,
  Forall2 (means qs) fs vs -> means qs (fold_right add (Form [] 0) fs) (fold_right Z.add 0 vs).
Proof.
  intros qs fs vs H tail. induction H as [|f v fs vs Hf H IH]; [apply eval_constant|].
  cbn [fold_right]. now rewrite eval_add, (Hf tail), IH.
Qed.

Lemma known_sound : forall z ds f m k,
  known ds f m = Some k -> answered z ds -> eval z (variable (n + k)) = eval z f / m.
Proof.
  intros z ds f m k. induction ds as [|[g l] ds IH]; cbn; [discriminate|]. intros E [H1 H2].
  destruct ((l =? m) && same_form g f) eqn:F; [|auto]. injection E as <-.
  apply andb_true_iff in F as [F1 F2]. apply Z.eqb_eq in F1 as <-.
  now rewrite <- (same_form_eq _ _ F2).
Qed.

Lemma push_stands : forall qs w r,
  stands qs w -> (forall tail, holds (x ++ qs ++ tail) r) -> stands qs (push r w).
Proof.
  intros qs w r [Hl H] Hr. split; [exact Hl|]. intros tail. destruct (H tail) as [H1 H2].
  split; [exact H1|]. cbn. constructor; auto.
Qed.

Lemma push_all_stands : forall qs w rs,
  stands qs w -> (forall tail, Forall (holds (x ++ qs ++ tail)) rs) -> stands qs (push_all rs w).
Proof.
  intros qs w rs [Hl H] Hr. split; [exact Hl|]. intros tail. destruct (H tail) as [H1 H2].
  split; [exact H1|]. cbn [push_all passed]. rewrite rev_append_rev. apply Forall_app.
  split; [apply Forall_rev, Hr | exact H2].
Qed.

Lemma divide_stands : forall qs w f v m,
  stands qs w -> means qs f v -> 0 < m ->
  exists qs', later qs qs' /\ stands qs' (snd (divide n f m w))
              /\ means qs' (fst (divide n f m w)) (v / m).
Proof.
  intros qs w f v m [Hl H] Hf Hm. unfold divide.
  destruct (known (divisions w) f m) as [k|] eqn:E; cbn [fst snd].
  - exists qs. split; [apply later_refl|]. split; [split; auto|]. intros tail.
    destruct (H tail) as [H1 _]. rewrite (known_sound _ _ _ _ _ E H1). now rewrite Hf.
  - exists (qs ++ [v / m]). split; [now exists [v / m]|].
    assert (Hq : means (qs ++ [v / m]) (variable (n + length (divisions w))) (v / m)).
    { intros tail. rewrite <- Hl. unfold n. rewrite <- app_length, <- app_assoc. simpl app.
      rewrite app_assoc. apply eval_variable. }
    split; [|exact Hq]. split; [cbn; rewrite app_length; cbn; lia|]. intros tail.
    pose proof (Hq tail) as Hq'. rewrite <- app_assoc in *. simpl app in *.
    destruct (H (v / m :: tail)) as [H1 H2]. cbn [divisions passed answered].
    split; [split; [|exact H1]; now rewrite Hq', Hf|]. constructor; [|exact H2].
    unfold holds. cbn [row_form at_least at_most]. rewrite eval_minus, eval_scale, Hq', Hf.
    pose proof (Z.mod_pos_bound v m Hm) as Hb. rewrite Z.mod_eq in Hb by lia. lia.
Qed.

Lemma choices_cover : forall s qs w forms first others,
  stands qs w -> Forall2 (means qs) forms (first :: others) ->
  exists f w', In (f, w') (choices s forms w) /\ stands qs w' /\ means qs f (foremost s first others).
Proof.
  intros s qs w forms first others Hw Hf.
  destruct (foremost_spec s first others) as [Hin Hall]. rewrite Forall_forall in Hall.
  set (best := foremost s first others) in *. set (all := first :: others) in *. clearbody best all.
  assert (Some_form : exists f, In f forms /\ means qs f best).
  { clear Hall Hw. induction Hf as [|f v fs vs Hfv Hf IH]; [destruct Hin|].
    destruct Hin as [->|Hin]; [exists f; split; [now left | exact Hfv]|].
    destruct (IH Hin) as (g & Hg & Hm). exists g. split; [now right | exact Hm]. }
  assert (Some_value : forall g, In g forms -> exists v, In v all /\ means qs g v).
  { clear - Hf. induction Hf as [|f v fs vs Hfv Hf IH]; intros g Hg; [destruct Hg|].
    destruct Hg as [->|Hg]; [exists v; split; [now left | exact Hfv]|].
    destruct (IH g Hg) as (u & Hu & Hm). exists u. split; [now right | exact Hm]. }
  destruct Some_form as (f & Hf' & Hbest). destruct (picks_in forms [] f Hf') as (rest & Hp & Hincl).
  exists f, (push_all (map (fun g => Row (behind s f g) None (Some 0)) rest) w).
  split; [apply in_map_iff; now exists (f, rest)|]. split; [|exact Hbest].
  apply push_all_stands; [exact Hw|]. intros tail. apply Forall_forall. intros r Hr.
  apply in_map_iff in Hr as (g & <- & Hg). destruct (Some_value g (Hincl g Hg)) as (v & Hv & Hgv).
  specialize (Hall v Hv). unfold holds. cbn [row_form at_least at_most]. split; [exact I|].
  destruct s; cbn [behind]; rewrite eval_minus, (Hbest tail), (Hgv tail); lia.
Qed.

(** Every point satisfies one of the ways, with the quotients that division gives. *)
Theorem ways_cover :
  (forall e, sensible n e = true -> forall qs w, stands qs w ->
    exists f w' qs', In (f, w') (ways n e w) /\ later qs qs' /\ stands qs' w'
                     /\ means qs' f (value_at x e))
  /\ (forall es, sensible_parts n es = true -> forall qs w, stands qs w ->
    exists fs w' qs', In (fs, w') (ways_of_parts n es w) /\ later qs qs' /\ stands qs' w'
                      /\ Forall2 (means qs') fs (values_at x es))
  /\ (forall c, sensible_condition n c = true -> forall qs w, stands qs w ->
    exists w' qs', In w' (condition_ways n c (true_at x c) w) /\ later qs qs' /\ stands qs' w')
  /\ (forall cs, sensible_conditions n cs = true -> forall b qs w, stands qs w ->
    (forallb (Bool.eqb b) (truths_at x cs) = true ->
     exists w' qs', In w' (in_turn n cs b w) /\ later qs qs' /\ stands qs' w')
    /\ (existsb (Bool.eqb b) (truths_at x cs) = true ->
        exists w' qs', In w' (one_of n cs b w) /\ later qs qs' /\ stands qs' w')).
Proof.
  apply tree_induction.
  - (* a number *)
    intros k _ qs w Hw. exists (Form [] k), w, qs. split; [now left|]. split; [apply later_refl|].
    split; [exact Hw|]. intros tail. apply eval_constant.
  - (* a variable *)
    intros v Hv qs w Hw. apply Nat.ltb_lt in Hv. exists (variable v), w, qs. split; [now left|].
    split; [apply later_refl|]. split; [exact Hw|]. intros tail. rewrite eval_nth.
    now apply app_nth1.
  - (* a sum *)
    intros parts IH Hp qs w Hw. destruct (IH Hp qs w Hw) as (fs & w' & qs' & Hin & Hl & Hs & Hm).
    exists (fold_right add (Form [] 0) fs), w', qs'. split; [apply in_map_iff; now exists (fs, w')|].
    split; [exact Hl|]. split; [exact Hs | now apply sum_means].
  - (* a multiple *)
    intros k a IH Hp qs w Hw. destruct (IH Hp qs w Hw) as (f & w' & qs' & Hin & Hl & Hs & Hm).
    exists (scale k f), w', qs'. split; [apply in_map_iff; now exists (f, w')|]. split; [exact Hl|].
    split; [exact Hs|]. intros tail. now rewrite eval_scale, Hm.
  - (* a quotient *)
    intros a IH m Hp qs w Hw. apply andb_true_iff in Hp as [Hm0 Hp]. apply Z.ltb_lt in Hm0.
    destruct (IH Hp qs w Hw) as (f & w' & qs' & Hin & Hl & Hs & Hm).
    destruct (divide_stands qs' w' f _ m Hs Hm Hm0) as (qs'' & Hl' & Hs' & Hq).
    exists (fst (divide n f m w')), (snd (divide n f m w')), qs''.
    split; [apply in_map_iff; exists (f, w'); split; [apply surjective_pairing | exact Hin]|].
    split; [eapply later_trans; eauto|]. split; [exact Hs' | exact Hq].
  - (* a remainder *)
    intros a IH m Hp qs w Hw. apply andb_true_iff in Hp as [Hm0 Hp]. apply Z.ltb_lt in Hm0.
    destruct (IH Hp qs w Hw) as (f & w' & qs' & Hin & Hl & Hs & Hm).
    destruct (divide_stands qs' w' f _ m Hs Hm Hm0) as (qs'' & Hl' & Hs' & Hq).
    exists (minus f (scale m (fst (divide n f m w')))), (snd (divide n f m w')), qs''.
    split; [apply in_map_iff; exists (f, w'); split; [reflexivity | exact Hin]|].
    split; [eapply later_trans; eauto|]. split; [exact Hs'|]. intros tail.
    apply (means_later _ _ _ _ Hl') in Hm. rewrite eval_minus, eval_scale, Hm, Hq.
    cbn [value_at]. rewrite Z.mod_eq by lia. reflexivity.
  - (* the least or the greatest *)
    intros s first IH others IHs Hp qs w Hw. apply andb_true_iff in Hp as [Hp1 Hp2].
    destruct (IH Hp1 qs w Hw) as (f & w' & qs' & Hin & Hl & Hs & Hm).
    destruct (IHs Hp2 qs' w' Hs) as (fs & w'' & qs'' & Hin' & Hl' & Hs' & Hm').
    destruct (choices_cover s qs'' w'' (f :: fs) (value_at x first) (values_at x others) Hs')
      as (g & w3 & Hg & Hs3 & Hm3).
    { constructor; [eapply means_later; eauto | exact Hm']. }
    exists g, w3, qs''. split.
    { cbn [ways]. apply in_flat_map. exists (f, w'). split; [exact Hin|].
      apply in_flat_map. exists (fs, w''). split; [exact Hin' | exact Hg]. }
    split; [eapply later_trans; eauto|]. split; [exact Hs3 | exact Hm3].
  - (* a choice *)
    intros c IHc a IHa b IHb Hp qs w Hw. apply andb_true_iff in Hp as [Hp Hpb].
    apply andb_true_iff in Hp as [Hpc Hpa].
    destruct (IHc Hpc qs w Hw) as (w' & qs' & Hin & Hl & Hs). cbn [ways value_at].
    destruct (true_at x c);
      [destruct (IHa Hpa qs' w' Hs) as (f & w'' & qs'' & Hin' & Hl' & Hs' & Hm)
      |destruct (IHb Hpb qs' w' Hs) as (f & w'' & qs'' & Hin' & Hl' & Hs' & Hm)];
      (exists f, w'', qs''; split;
       [apply in_app_iff|split; [eapply later_trans; eauto | split; [exact Hs' | exact Hm]]]);
      [left | right]; apply in_flat_map; exists w'; auto.
  - (* no part *)
    intros _ qs w Hw. exists [], w, qs. split; [now left|]. split; [apply later_refl|].
    split; [exact Hw | constructor].
  - (* a part and the rest *)
    intros a IHa rest IHr Hp qs w Hw. apply andb_true_iff in Hp as [Hpa Hpr].
    destruct (IHa Hpa qs w Hw) as (f & w' & qs' & Hin & Hl & Hs & Hm).
    destruct (IHr Hpr qs' w' Hs) as (fs & w'' & qs'' & Hin' & Hl' & Hs' & Hm').
    exists (f :: fs), w'', qs''. split.
    { cbn [ways_of_parts]. apply in_flat_map. exists (f, w'). split; [exact Hin|].
      apply in_map_iff. now exists (fs, w''). }
    split; [eapply later_trans; eauto|]. split; [exact Hs'|].
    constructor; [eapply means_later; eauto | exact Hm'].
  - (* a comparison *)
    intros a IHa o b IHb Hp qs w Hw. apply andb_true_iff in Hp as [Hpa Hpb].
    destruct (IHa Hpa qs w Hw) as (f & w' & qs' & Hin & Hl & Hs & Hm).
    destruct (IHb Hpb qs' w' Hs) as (g & w'' & qs'' & Hin' & Hl' & Hs' & Hm').
    apply (means_later _ _ _ _ Hl') in Hm. cbn [true_at condition_ways].
    set (r := ordered o (value_at x a) (value_at x b)).
    destruct (ends_cover (if r then o else opposite o) (value_at x a) (value_at x b))
      as (e & He & H1 & H2).
    { unfold r. destruct (ordered o _ _) eqn:E; [exact E|]. now rewrite opposite_ordered, E. }
    exists (compared f g w'' e), qs''. split.
    { apply in_flat_map. exists (f, w'). split; [exact Hin|]. apply in_flat_map. exists (g, w'').
      split; [exact Hin'|]. now apply in_map. }
    split; [eapply later_trans; eauto|]. apply push_stands; [exact Hs'|]. intros tail.
    unfold holds. cbn [row_form at_least at_most]. now rewrite eval_minus, Hm, Hm'.
  - (* and, or *)
    intros all parts IH Hp qs w Hw. cbn [true_at condition_ways].
    destruct (IH Hp (joined all (truths_at x parts)) qs w Hw) as [I1 I2].
    pose proof (joined_cases all _ (truths_at x parts) eq_refl) as H.
    destruct (Bool.eqb all (joined all (truths_at x parts))); auto.
  - (* not *)
    intros c IH Hp qs w Hw. cbn [true_at condition_ways]. rewrite negb_involutive. auto.
  - (* no condition *)
    intros _ b qs w Hw. split; [|discriminate]. intros _. exists w, qs. split; [now left|].
    split; [apply later_refl | exact Hw].
  - (* a condition and the rest *)
    intros c IHc rest IHr Hp b qs w Hw. apply andb_true_iff in Hp as [Hpc Hpr].
    destruct (IHc Hpc qs w Hw) as (w' & qs' & Hin & Hl & Hs). cbn [truths_at forallb existsb]. split.
    + intros H. apply andb_true_iff in H as [Hb H]. apply eqb_prop in Hb as ->.
      destruct (proj1 (IHr Hpr _ qs' w' Hs) H) as (w'' & qs'' & Hin' & Hl' & Hs').
      exists w'', qs''. split; [cbn [in_turn]; apply in_flat_map; now exists w'|].
      split; [eapply later_trans; eauto | exact Hs'].
    + intros H. cbn [one_of]. apply orb_true_iff in H as [Hb|H].
      * apply eqb_prop in Hb as ->. exists w', qs'. split; [apply in_app_iff; now left | auto].
      * destruct (proj2 (IHr Hpr _ qs w Hw) H) as (w'' & qs'' & Hin' & Hl' & Hs').
        exists w'', qs''. split; [apply in_app_iff; now right | auto].
Qed.

End Covering.

(** ** Two expressions *)

Section Questions.

Variables (x : list Z) (one two : partial).
Let n := length x.
Hypothesis sensible_one : sensible_partial n one = true.
Hypothesis sensible_two : sensible_partial n two = true.

(** A point satisfies one of these ways. *)
Definition met (ws : list way) : Prop := exists w qs, In w ws /\ stands x qs w.

Lemma counts_cover : forall p qs w,
  sensible_partial n p = true -> stands x qs w ->
  exists w' qs', In w' (counts_ways n p (counts_at x p) w) /\ later qs qs' /\ stands x qs' w'.
Proof.
  intros p qs w Hp Hw. apply andb_true_iff in Hp as [_ Hp]. unfold counts_ways, counts_at.
  destruct (counts p) as [c|]; [now apply ways_cover|].
  exists w, qs. split; [now left|]. split; [apply later_refl | exact Hw].
Qed.

Lemma start_stands : stands x [] start.
Proof. split; [reflexivity|]. intros tail. repeat constructor. Qed.

Lemma difference_met : forall e,
  counts_at x one = true ->
  match fst e with Some a => a <= value_at x (what one) - value_at x (what two) | None => True end ->
  match snd e with Some b => value_at x (what one) - value_at x (what two) <= b | None => True end ->
  met (difference_ways n one two e).
Proof.
  intros e Hc H1 H2.
  destruct (counts_cover one [] start sensible_one start_stands) as (w & qs & Hw & _ & Hs).
  rewrite Hc in Hw. apply andb_true_iff in sensible_one as [P1 _], sensible_two as [P2 _].
  destruct (proj1 (ways_cover x) (what one) P1 qs w Hs) as (f & w1 & qs1 & Hf & _ & Hs1 & Hm1).
  destruct (proj1 (ways_cover x) (what two) P2 qs1 w1 Hs1) as (g & w2 & qs2 & Hg & Hl & Hs2 & Hm2).
  apply (means_later x _ _ _ _ Hl) in Hm1. exists (compared f g w2 e), qs2. split.
  - apply in_flat_map. exists w. split; [exact Hw|]. apply in_flat_map. exists (f, w1).
    split; [exact Hf|]. apply in_map_iff. now exists (g, w2).
  - apply push_stands; [exact Hs2|]. intros tail. unfold holds. cbn [row_form at_least at_most].
    now rewrite eval_minus, Hm1, Hm2.
Qed.

Lemma counting_met : forall p q,
  sensible_partial n p = true -> sensible_partial n q = true ->
  counts_at x p = true -> counts_at x q = false ->
  met (flat_map (counts_ways n q false) (counts_ways n p true start)).
Proof.
  intros p q Pp Pq Hp Hq.
  destruct (counts_cover p [] start Pp start_stands) as (w & qs & Hw & _ & Hs).
  destruct (counts_cover q qs w Pq Hs) as (w' & qs' & Hw' & _ & Hs'). rewrite Hp in Hw. rewrite Hq in Hw'.
  exists w', qs'. split; [|exact Hs']. apply in_flat_map. now exists w.
Qed.

Lemma range_rows_hold : forall ranges before point after,
  Forall2 within_range ranges point ->
  Forall (holds (before ++ point ++ after)) (range_rows (length before) ranges).
Proof.
  intros ranges before point after H. revert before.
  induction H as [|[a b] t ranges point Ht H IH]; intros before; cbn [range_rows]; constructor.
  - unfold holds. cbn [row_form at_least at_most]. simpl app. now rewrite eval_variable.
  - specialize (IH (before ++ [t])). rewrite app_length, <- app_assoc in IH. simpl in IH.
    now rewrite Nat.add_1_r in IH.
Qed.

Lemma nothing_met : forall ranges ws,
  Forall2 within_range ranges x ->
  Forall (fun w => unsolvable (rows_of (way_system ranges w))) ws -> ~ met ws.
Proof.
  intros ranges ws Hx H (w & qs & Hw & _ & Hs). rewrite Forall_forall in H. destruct (Hs []) as [_ Hr].
  apply (H w Hw (x ++ qs ++ [])). apply Forall_app. split; [|now apply Forall_rev].
  now apply (range_rows_hold ranges [] x (qs ++ [])).
Qed.

(** If no way of any question has a point in the ranges, both are the same in them. *)
Theorem questions_sound : forall ranges,
  Forall2 within_range ranges x ->
  (forall q, Forall (fun w => unsolvable (rows_of (way_system ranges w))) (question_ways n one two q)) ->
  meaning x one = meaning x two.
Proof.
  intros ranges Hx H.
  assert (No : forall q, ~ met (question_ways n one two q)) by (intros q; eapply nothing_met; eauto).
  unfold meaning. destruct (counts_at x one) eqn:C1, (counts_at x two) eqn:C2.
  - destruct (Z.lt_trichotomy (value_at x (what one)) (value_at x (what two))) as [L|[E|G]].
    + destruct (No IsBelow). apply difference_met; cbn; auto; lia.
    + now rewrite E.
    + destruct (No IsAbove). apply difference_met; cbn; auto; lia.
  - destruct (No IsLost). now apply counting_met.
  - destruct (No IsGained). now apply counting_met.
  - reflexivity.
Qed.

End Questions.
