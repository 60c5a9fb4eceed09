(** * What must be proved about one chain, or about two

    A chain is a given view w if some systems of rows have no solution: one for each side
    of w's box on which an index outside it might be valid, one for each side of each
    lower mask that a digit might miss, and two for a position above and below that of w.
    Two chains are compared in the same way.

    Example: (3):(1) [1:3] seen through (2):(1)+1 is (2):(1)+1. No side of the box
    has room outside; the mask might be missed on its low side, which would take a
    solution of x + 1 <= 0 with 0 <= x <= 1.

    [tasks_of_merged] and [tasks_of_equal] list the systems. If none has a solution,
    the chain is that view ([tasks_of_merged_sound]), the two chains are the same
    function ([tasks_of_equal_sound]). *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Criterion Canonical Hole System Encoding.
Import ListNotations.
Open Scope Z_scope.

(** ** Views that are never valid *)

Definition never (v : view) : bool := match mask v with Nothing => true | _ => false end.

Lemma never_false : forall v, never v = false -> mask v <> Nothing.
Proof. intros v H E. unfold never in H. now rewrite E in H. Qed.

Lemma some_never : forall below top i,
  existsb never (top :: below) = true -> ~ defined (stack below top) i.
Proof.
  intros below top i H. cbn [existsb] in H. apply orb_true_iff in H.
  assert (N : forall v j, never v = true -> ~ valid v j).
  { intros v j Hv [_ Hj]. unfold never in Hv. destruct (mask v); auto; discriminate. }
  intros [Ht Hd]. destruct H as [H|H]; [now apply (N top i)|].
  simpl in Hd. revert Hd. generalize (index top i). clear Ht.
  induction below as [|v rest IH]; intros n Hd; [discriminate|].
  cbn [existsb] in H. apply orb_true_iff in H. destruct Hd as [Hv Hd].
  destruct H as [H|H]; [now apply (N v _ H Hv) | now apply (IH H _ Hd)].
Qed.

Lemma none_never : forall below top,
  existsb never (top :: below) = false ->
  mask top <> Nothing /\ Forall (fun v => mask v <> Nothing) below.
Proof.
  intros below top H. cbn [existsb] in H. apply orb_false_iff in H as [Ht H].
  split; [now apply never_false|]. induction below as [|v rest IH]; constructor;
    cbn [existsb] in H; apply orb_false_iff in H as [Hv H]; [now apply never_false | auto].
Qed.

(** ** The variables and the index *)

(** The axes of an index are the first variables. *)
Definition axes (d : nat) : list form := map variable (seq 0 d).

(** The position of an index at a view. *)
Definition index_form (v : view) : form := coefficients (strides v) (offset v).

Definition rank (v : view) : nat := length (shape v).

Lemma axes_eval_from : forall x before after,
  map (eval (before ++ x ++ after)) (map variable (seq (length before) (length x))) = x.
Proof.
  induction x as [|a x IH]; intros before after; [reflexivity|].
  cbn [length seq map]. f_equal; [apply eval_variable|].
  specialize (IH (before ++ [a]) after). rewrite app_length, <- app_assoc in IH. simpl in IH.
  rewrite Nat.add_1_r in IH. exact IH.
Qed.

Lemma axes_eval : forall d x after, length x = d -> map (eval (x ++ after)) (axes d) = x.
Proof. intros d x after <-. apply (axes_eval_from x []). Qed.

Lemma index_form_eval : forall v x after,
  well_formed v -> length x = rank v -> eval (x ++ after) (index_form v) = index v x.
Proof.
  intros v x after (_ & Hl & _) Hx. unfold index_form, index. rewrite eval_coefficients. f_equal.
  rewrite <- (app_nil_r (strides v)) at 1. rewrite dot_app by (unfold rank in Hx; lia).
  simpl. lia.
Qed.

Lemma in_shape_rank : forall v i, in_shape (shape v) i -> length i = rank v.
Proof. intros v i H. now apply in_shape_length. Qed.

(** ** Nothing is valid *)

(** The rows of a chain with its index in a box. *)
Definition rows_in (b : box) (below : list view) (top : view) : list row :=
  interval_rows b (axes (rank top)) ++ chain_rows below (index_form top) (rank top).

Lemma rows_in_hold : forall b below top i,
  Forall well_formed below -> well_formed top ->
  defined (stack below top) i -> in_box b i ->
  let z := i ++ chain_quotients below (index top i) in
  Forall (holds z) (rows_in b below top)
  /\ eval z (chain_form below (index_form top) (rank top)) = value (stack below top) i.
Proof.
  intros b below top i Hb Ht Hi Hbox z. destruct Hi as [Hi Hd]. simpl in Hd.
  pose proof (in_shape_rank top i (proj1 Hi)) as Hl.
  assert (Ez : z = i ++ chain_quotients below (index top i) ++ []) by now rewrite app_nil_r.
  destruct (chain_encoded below (index_form top) (rank top) i [] (index top i) Hb Hl) as [H1 H2].
  { rewrite <- Ez. now apply index_form_eval. }
  { exact Hd. }
  rewrite <- Ez in H1, H2. split; [|exact H2].
  apply Forall_app. split; [|exact H1].
  apply interval_rows_hold. unfold z. now rewrite axes_eval.
Qed.

Definition empty_rows (below : list view) (top : view) : list row := rows_in (bounds top) below top.

Definition empty_task (chain : nat) (below : list view) (top : view) : task :=
  (Empty chain, System (empty_rows below top) []).

Lemma empty_sound : forall chain below top i,
  Forall well_formed below -> well_formed top ->
  task_unsolvable (empty_task chain below top) -> ~ defined (stack below top) i.
Proof.
  intros chain below top i Hb Ht Hu Hi.
  destruct (rows_in_hold (bounds top) below top i Hb Ht Hi) as [Hr _].
  { apply valid_bounds_in, Hi. }
  apply (Hu (i ++ chain_quotients below (index top i))). unfold rows_of; simpl. now rewrite app_nil_r.
Qed.

Definition variable_count (below : list view) (top : view) : nat :=
  (rank top + quotient_count below)%nat.

(** ** One view *)

(** The inner box lies in the outer one, axis by axis. *)
Fixpoint contains (outer inner : box) : bool :=
  match outer, inner with
  | [], [] => true
  | (lo, hi) :: outer', (a, b) :: inner' => (lo <=? a) && (b <=? hi) && contains outer' inner'
  | _, _ => false
  end.

Lemma contains_sound : forall outer inner i,
  contains outer inner = true -> in_box inner i -> in_box outer i.
Proof.
  induction outer as [|[lo hi] outer IH]; intros [|[a b] inner] [|x i] H Hi; simpl in *;
    try discriminate; try tauto.
  rewrite !andb_true_iff, !Z.leb_le in H. split; [lia | now apply IH with inner].
Qed.

(** Both are views of something, and the box of [w] lies in that of [top]. *)
Definition merged_tasks (below : list view) (top w : view) : list task :=
  let d := rank top in
  let x := axes d in
  let u := index_form top in
  let inside := interval_rows (bounds w) x in
  let difference := minus (chain_form below u d) (index_form w) in
  let rows := rows_in (bounds w) below top in
  narrowing Outside 0 (bounds top) (bounds w) x (empty_rows below top)
  ++ hole_claims 0 below u d inside []
  ++ [(Above, System rows [Row difference (Some 1) None]);
      (Below, System rows [Row difference None (Some (-1))])].

(** The number of variables and the tasks; [None] if the numbers contradict the claim. *)
Definition tasks_of_merged (below : list view) (top w : view) : option (nat * list task) :=
  let variables := variable_count below top in
  if same_index (shape w) (shape top) then
    if count (shape top) =? 0 then Some (variables, [])
    else if never w then
      if existsb never (top :: below) then Some (variables, [])
      else Some (variables, [empty_task 0 below top])
    else if existsb never (top :: below) then None
    else if contains (bounds top) (bounds w) then Some (variables, merged_tasks below top w)
    else None
  else None.

Lemma merged_tasks_sound : forall below top w,
  Forall well_formed below -> well_formed top -> well_formed w -> composable below top ->
  shape w = shape top -> mask w <> Nothing -> mask top <> Nothing ->
  Forall (fun v => mask v <> Nothing) below ->
  contains (bounds top) (bounds w) = true ->
  Forall task_unsolvable (merged_tasks below top w) ->
  same_function (view_reading w) (stack below top).
Proof.
  intros below top w Hb Ht Hw Hc Es Nw Nt Nb Hin H.
  apply Forall_app in H as [Hout H]. apply Forall_app in H as [Hhole H].
  apply Forall_cons_iff in H as [Habove H]. apply Forall_cons_iff in H as [Hbelow _].
  assert (Inside : forall i, defined (stack below top) i -> valid w i).
  { intros i Hi. pose proof (stack_in_shape _ _ _ Hi) as Hs.
    pose proof (in_shape_rank top i Hs) as Hl.
    apply bounds_valid; [exact Nw | now rewrite Es |].
    pose proof (valid_bounds_in top i (proj1 Hi)) as Htop.
    destruct (rows_in_hold (bounds top) below top i Hb Ht Hi Htop) as [Hr _].
    rewrite <- (axes_eval (rank top) i (chain_quotients below (index top i)) Hl).
    eapply narrowing_sound; [exact Hr | | exact Hout | now rewrite axes_eval].
    rewrite !bounds_length by assumption. now rewrite Es. }
  assert (Covered : forall i, valid w i -> defined (stack below top) i).
  { intros i Hi. pose proof (valid_bounds_in w i Hi) as Hbox. destruct Hi as [Hs _].
    rewrite Es in Hs. pose proof (in_shape_rank top i Hs) as Hl.
    assert (Hi : valid top i).
    { apply bounds_valid; auto. eapply contains_sound; eauto. }
    split; [exact Hi|].
    eapply (hole_claims_sound 0 below (index_form top) (rank top) i []);
      [exact Hb | exact Nb | exact Hl | | now apply Hc | | | exact Hhole].
    - now apply index_form_eval.
    - apply interval_rows_hold. now rewrite axes_eval.
    - constructor. }
  split; [intros i; split; [apply Covered | apply Inside]|]. intros i Hi. simpl in Hi.
  pose proof (valid_bounds_in w i Hi) as Hbox.
  assert (Hl : length i = rank w) by now apply in_shape_rank, Hi.
  destruct (rows_in_hold (bounds w) below top i Hb Ht (Covered i Hi) Hbox) as [Hr Hv].
  set (z := i ++ chain_quotients below (index top i)) in *.
  assert (Hw' : eval z (index_form w) = index w i) by now apply index_form_eval.
  assert (Hne : forall low high,
            unsolvable (rows_in (bounds w) below top
              ++ [Row (minus (chain_form below (index_form top) (rank top)) (index_form w)) low high]) ->
            ~ (match low with Some a => a <= value (stack below top) i - index w i | None => True end
               /\ match high with Some b => value (stack below top) i - index w i <= b | None => True end)).
  { intros low high Hu Hd. apply (Hu z). apply Forall_app. split; [exact Hr|].
    constructor; [|constructor]. unfold holds. cbn [row_form at_least at_most].
    rewrite eval_minus, Hv, Hw'. exact Hd. }
  apply Hne in Habove, Hbelow. change (value (view_reading w) i) with (index w i). lia.
Qed.

Lemma tasks_of_merged_sound : forall below top w variables tasks,
  Forall well_formed below -> well_formed top -> well_formed w -> composable below top ->
  tasks_of_merged below top w = Some (variables, tasks) -> Forall task_unsolvable tasks ->
  shape w = shape top /\ same_function (view_reading w) (stack below top).
Proof.
  intros below top w variables tasks Hb Ht Hw Hc E H. unfold tasks_of_merged in E.
  destruct (same_index (shape w) (shape top)) eqn:Es; [|discriminate].
  apply same_index_spec in Es. split; [exact Es|].
  assert (Nowhere : (forall i, ~ valid w i) -> (forall i, ~ defined (stack below top) i) ->
            same_function (view_reading w) (stack below top)).
  { intros H1 H2. split; simpl; [intros i; split; intros Hi; exfalso; [now apply (H1 i) | now apply (H2 i)]|].
    intros i Hi. now apply H1 in Hi. }
  destruct (Z.eqb_spec (count (shape top)) 0) as [Hz|Hz].
  { apply Nowhere.
    - intros i [Hi _]. rewrite Es in Hi. apply in_shape_count in Hi. lia.
    - intros i Hi. apply stack_in_shape, in_shape_count in Hi. lia. }
  destruct (never w) eqn:Nw.
  { assert (Hnw : forall i, ~ valid w i).
    { intros i [_ Hi]. unfold never in Nw. destruct (mask w); auto; discriminate. }
    destruct (existsb never (top :: below)) eqn:Ns.
    - apply Nowhere; [exact Hnw|]. intros i. now apply some_never.
    - injection E as _ <-. apply Forall_inv in H. apply Nowhere; [exact Hnw|].
      intros i. now apply (empty_sound 0). }
  destruct (existsb never (top :: below)) eqn:Ns; [discriminate|].
  apply none_never in Ns as [Nt Nb].
  destruct (contains (bounds top) (bounds w)) eqn:Hin; [|discriminate]. injection E as _ <-.
  apply merged_tasks_sound; auto. now apply never_false.
Qed.

(** ** Two chains *)

(** If no axis of the index leaves the mask of the top view, and no digit leaves a mask
    further down, the chain is valid there. *)
Lemma covered : forall chain below top u next before after i rows first last,
  Forall well_formed below -> well_formed top -> composable below top ->
  mask top <> Nothing -> Forall (fun v => mask v <> Nothing) below ->
  in_shape (shape top) i -> length before = next ->
  let z := before ++ chain_quotients below (index top i) ++ after in
  eval z u = index top i -> map (eval z) (axes (rank top)) = i ->
  Forall (holds z) rows -> (in_box (bounds top) i -> Forall (holds z) first) ->
  Forall (holds z) last ->
  Forall task_unsolvable
    (narrowing (Hole chain (length below)) 0 (box_of (shape top)) (bounds top) (axes (rank top)) rows) ->
  Forall task_unsolvable (hole_claims chain below u next first last) ->
  defined (stack below top) i.
Proof.
  intros chain below top u next before after i rows first last
    Hb Ht Hc Nt Nb Hs Hl z Hu Hx Hrows Hfirst Hlast Htop Hholes.
  assert (Hbox : in_box (bounds top) i).
  { rewrite <- Hx. eapply narrowing_sound; [exact Hrows | | exact Htop | now rewrite Hx].
    rewrite box_of_length. now apply bounds_length. }
  assert (Hi : valid top i) by now apply bounds_valid.
  split; [exact Hi|].
  eapply hole_claims_sound; [exact Hb | exact Nb | exact Hl | exact Hu | | | exact Hlast | exact Hholes];
    auto.
Qed.

(** Both chains have the same shape, and no view is never valid. *)
Definition equal_tasks (below : list view) (top : view) (below' : list view) (top' : view)
  : list task :=
  let d := rank top in
  let next := (d + quotient_count below)%nat in
  let x := axes d in
  let u := index_form top in
  let u' := index_form top' in
  let rows := chain_rows below u d in
  let rows' := chain_rows below' u' next in
  let both := interval_rows (meet (bounds top) (bounds top')) x in
  let difference := minus (chain_form below u d) (chain_form below' u' next) in
  let all := box_of (shape top) in
  let all_rows := both ++ rows ++ rows' in
  [(Above, System all_rows [Row difference (Some 1) None]);
   (Below, System all_rows [Row difference None (Some (-1))])]
  ++ narrowing (Hole 0 (length below)) 0 all (bounds top) x (interval_rows (bounds top') x ++ rows')
  ++ narrowing (Hole 1 (length below')) 0 all (bounds top') x (interval_rows (bounds top) x ++ rows)
  ++ hole_claims 0 below u d both rows'
  ++ hole_claims 1 below' u' next (both ++ rows) [].

Definition tasks_of_equal (below : list view) (top : view) (below' : list view) (top' : view)
  : option (nat * list task) :=
  if same_index (shape top) (shape top') then
    if count (shape top) =? 0 then Some (0%nat, [])
    else
      match existsb never (top :: below), existsb never (top' :: below') with
      | true, true => Some (0%nat, [])
      | false, true => Some (variable_count below top, [empty_task 0 below top])
      | true, false => Some (variable_count below' top', [empty_task 1 below' top'])
      | false, false =>
          Some ((variable_count below top + quotient_count below')%nat, equal_tasks below top below' top')
      end
  else None.

Lemma equal_tasks_sound : forall below top below' top',
  Forall well_formed below -> well_formed top -> composable below top ->
  Forall well_formed below' -> well_formed top' -> composable below' top' ->
  shape top = shape top' ->
  mask top <> Nothing -> Forall (fun v => mask v <> Nothing) below ->
  mask top' <> Nothing -> Forall (fun v => mask v <> Nothing) below' ->
  Forall task_unsolvable (equal_tasks below top below' top') ->
  same_function (stack below top) (stack below' top').
Proof.
  intros below top below' top' Hb Ht Hc Hb' Ht' Hc' Es Nt Nb Nt' Nb' H.
  apply Forall_app in H as [Hvalues H]. apply Forall_app in H as [Htop H].
  apply Forall_app in H as [Htop' H]. apply Forall_app in H as [Hholes Hholes'].
  apply Forall_cons_iff in Hvalues as [Habove Hvalues].
  apply Forall_cons_iff in Hvalues as [Hbelow _].
  assert (Er : rank top = rank top') by (unfold rank; now rewrite Es).
  assert (Hmeet : forall i, in_box (bounds top) i -> in_box (bounds top') i ->
            in_box (meet (bounds top) (bounds top')) i).
  { intros i H1 H2. apply in_box_meet; [|auto]. rewrite !bounds_length by assumption. now rewrite Es. }
  set (d := rank top) in *. set (next := (d + quotient_count below)%nat) in *.
  set (u := index_form top) in *. set (u' := index_form top') in *.
  (** One point for both chains. *)
  assert (Point : forall i, in_shape (shape top) i ->
            let z := i ++ chain_quotients below (index top i) ++ chain_quotients below' (index top' i) in
            map (eval z) (axes d) = i
            /\ eval z u = index top i /\ eval z u' = index top' i
            /\ (defined (stack below top) i ->
                Forall (holds z) (chain_rows below u d)
                /\ eval z (chain_form below u d) = value (stack below top) i)
            /\ (defined (stack below' top') i ->
                Forall (holds z) (chain_rows below' u' next)
                /\ eval z (chain_form below' u' next) = value (stack below' top') i)
            /\ forall b, in_box b i -> Forall (holds z) (interval_rows b (axes d))).
  { intros i Hs z. pose proof (in_shape_rank top i Hs) as Hl.
    assert (Hx : map (eval z) (axes d) = i) by now apply axes_eval.
    assert (Hu : eval z u = index top i) by now apply index_form_eval.
    assert (Hu' : eval z u' = index top' i) by (apply index_form_eval; [exact Ht' | rewrite Hl; exact Er]).
    split; [exact Hx|]. split; [exact Hu|]. split; [exact Hu'|]. split; [|split].
    - intros [_ Hd]. apply chain_encoded; auto.
    - intros [_ Hd].
      assert (Ez : z = (i ++ chain_quotients below (index top i)) ++ chain_quotients below' (index top' i) ++ [])
        by (unfold z; now rewrite app_nil_r, app_assoc).
      rewrite Ez in Hu' |- *. apply chain_encoded; auto.
      now rewrite app_length, chain_quotients_length, Hl.
    - intros b Hi. apply interval_rows_hold. now rewrite Hx. }
  assert (Forth : forall i, defined (stack below top) i -> defined (stack below' top') i).
  { intros i Hi. pose proof (stack_in_shape _ _ _ Hi) as Hs.
    pose proof (in_shape_rank top i Hs) as Hl.
    destruct (Point i Hs) as (Hx & Hu & Hu' & Hrows & _ & Hbox).
    destruct (Hrows Hi) as [Hr _].
    pose proof (valid_bounds_in top i (proj1 Hi)) as Hin.
    assert (Ez : i ++ chain_quotients below (index top i) ++ chain_quotients below' (index top' i)
                 = (i ++ chain_quotients below (index top i)) ++ chain_quotients below' (index top' i) ++ [])
      by now rewrite app_nil_r, app_assoc.
    rewrite Ez in *. rewrite Es in Hs.
    eapply (covered 1 below' top' u' next (i ++ chain_quotients below (index top i)) [] i);
      [exact Hb' | exact Ht' | exact Hc' | exact Nt' | exact Nb' | exact Hs | | exact Hu' |
       | | | | rewrite <- Es, <- Er; exact Htop' | exact Hholes'].
    - now rewrite app_length, chain_quotients_length, Hl.
    - now rewrite <- Er.
    - apply Forall_app. split; [now apply Hbox | exact Hr].
    - intros Hin'. apply Forall_app. split; [apply Hbox; auto | exact Hr].
    - constructor. }
  assert (Back : forall i, defined (stack below' top') i -> defined (stack below top) i).
  { intros i Hi. pose proof (stack_in_shape _ _ _ Hi) as Hs. rewrite <- Es in Hs.
    pose proof (in_shape_rank top i Hs) as Hl.
    destruct (Point i Hs) as (Hx & Hu & Hu' & _ & Hrows & Hbox).
    destruct (Hrows Hi) as [Hr _].
    pose proof (valid_bounds_in top' i (proj1 Hi)) as Hin.
    eapply (covered 0 below top u d i (chain_quotients below' (index top' i)) i);
      [exact Hb | exact Ht | exact Hc | exact Nt | exact Nb | exact Hs | exact Hl | exact Hu
       | exact Hx | | | exact Hr | exact Htop | exact Hholes].
    - apply Forall_app. split; [now apply Hbox | exact Hr].
    - intros Hin'. apply Hbox. auto. }
  split; [intros i; split; [apply Forth | apply Back]|].
  intros i Hi. pose proof (stack_in_shape _ _ _ Hi) as Hs.
  destruct (Point i Hs) as (_ & _ & _ & Hrows & Hrows' & Hbox).
  destruct (Hrows Hi) as [Hr Hv]. destruct (Hrows' (Forth i Hi)) as [Hr' Hv'].
  pose proof (valid_bounds_in top i (proj1 Hi)) as Hin.
  pose proof (valid_bounds_in top' i (proj1 (Forth i Hi))) as Hin'.
  set (z := i ++ chain_quotients below (index top i) ++ chain_quotients below' (index top' i)) in *.
  assert (Hne : forall low high,
            unsolvable ((interval_rows (meet (bounds top) (bounds top')) (axes d)
              ++ chain_rows below u d ++ chain_rows below' u' next)
              ++ [Row (minus (chain_form below u d) (chain_form below' u' next)) low high]) ->
            ~ (match low with
               | Some a => a <= value (stack below top) i - value (stack below' top') i
               | None => True end
               /\ match high with
                  | Some b => value (stack below top) i - value (stack below' top') i <= b
                  | None => True end)).
  { intros low high Hun Hd. apply (Hun z). rewrite !Forall_app. repeat split; auto.
    constructor; [|constructor]. unfold holds. cbn [row_form at_least at_most].
    rewrite eval_minus, Hv, Hv'. exact Hd. }
  apply Hne in Habove, Hbelow. lia.
Qed.

Lemma tasks_of_equal_sound : forall below top below' top' variables tasks,
  Forall well_formed below -> well_formed top -> composable below top ->
  Forall well_formed below' -> well_formed top' -> composable below' top' ->
  tasks_of_equal below top below' top' = Some (variables, tasks) ->
  Forall task_unsolvable tasks ->
  shape top = shape top' /\ same_function (stack below top) (stack below' top').
Proof.
  intros below top below' top' variables tasks Hb Ht Hc Hb' Ht' Hc' E H. unfold tasks_of_equal in E.
  destruct (same_index (shape top) (shape top')) eqn:Es; [|discriminate].
  apply same_index_spec in Es. split; [exact Es|].
  assert (Nowhere : (forall i, ~ defined (stack below top) i) ->
            (forall i, ~ defined (stack below' top') i) ->
            same_function (stack below top) (stack below' top')).
  { intros H1 H2. split.
    - intros i. split; intros Hi; exfalso; [now apply (H1 i) | now apply (H2 i)].
    - intros i Hi. now apply H1 in Hi. }
  destruct (Z.eqb_spec (count (shape top)) 0) as [Hz|Hz].
  { apply Nowhere; intros i Hi; apply stack_in_shape, in_shape_count in Hi; [|rewrite Es in Hz]; lia. }
  destruct (existsb never (top :: below)) eqn:N, (existsb never (top' :: below')) eqn:N'.
  - apply Nowhere; intros i; now apply some_never.
  - injection E as _ <-. apply Forall_inv in H.
    apply Nowhere; intros i; [now apply some_never | now apply (empty_sound 1)].
  - injection E as _ <-. apply Forall_inv in H.
    apply Nowhere; intros i; [now apply (empty_sound 0) | now apply some_never].
  - injection E as _ <-. apply none_never in N as [Nt Nb]. apply none_never in N' as [Nt' Nb'].
    now apply equal_tasks_sound.
Qed.
