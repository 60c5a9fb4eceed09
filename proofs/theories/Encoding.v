(** * A chain as a system of linear rows

    Unravelling divides, and division is not linear. But once the quotients are
    variables too, the digits are linear forms, and so is the position in memory:

    - last axis first, digit = u - size * quotient, and then u is the quotient;
    - the digit of the first axis is what is left of u;
    - the position is the offset and the sum of stride times digit, and it is the
      u of the next view below.

    The variables are the index x of the chain, and then the quotients, view by
    view from the top down, in each view from the last axis to the second.

    Example: (2,2):(2,1) seen through (4):(1) has the variables x and q. The digits
    of the position x are x - 2q (last axis) and q, and the position in memory is
    2q + (x - 2q) = x.

    At an index that is valid for the chain, the quotients satisfy all rows, and the forms
    have the values of the chain ([chain_encoded]). So if the rows have no solution, no
    such index exists. If every digit that leaves a mask is refuted in this way, every
    index is valid ([hole_claims_sound]). *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Canonical System.
Import ListNotations.
Open Scope Z_scope.

(** ** Digits from the last axis to the first *)

(** The quotients of a position, for sizes that are listed last axis first. *)
Fixpoint quotients (sizes : list Z) (n : Z) : list Z :=
  match sizes with
  | [] | [_] => []
  | m :: rest => n / m :: quotients rest (n / m)
  end.

Fixpoint digits (sizes : list Z) (n : Z) : list Z :=
  match sizes with
  | [] => []
  | [_] => [n]
  | m :: rest => n mod m :: digits rest (n / m)
  end.

Lemma digits_unravel : forall s n,
  Forall (fun k => 0 < k) s -> digits (rev s) n = rev (unravel s n).
Proof.
  induction s as [|m s IH] using rev_ind; intros n Hs; [reflexivity|].
  apply Forall_app in Hs as [Hs Hm]. inversion Hm; subst.
  rewrite rev_app_distr. simpl app. destruct s as [|k s].
  - simpl. now rewrite Z.div_1_r.
  - rewrite unravel_snoc, rev_app_distr, <- IH by (auto; discriminate).
    simpl rev at 1. destruct (rev s ++ [k]) eqn:E; [now destruct (rev s)|].
    simpl rev. rewrite E. reflexivity.
Qed.

Lemma quotients_length : forall sizes n, length (quotients sizes n) = Nat.pred (length sizes).
Proof.
  induction sizes as [|m [|k rest] IH]; intros n; auto.
  change (S (length (quotients (k :: rest) (n / m))) = S (Nat.pred (length (k :: rest)))).
  now rewrite IH.
Qed.

(** ** The same, as forms *)

(** The digits of the position [u], last axis first; the quotients are the variables from [next]. *)
Fixpoint digit_forms (sizes : list Z) (u : form) (next : nat) : list form :=
  match sizes with
  | [] => []
  | [_] => [u]
  | m :: rest => minus u (scale m (variable next)) :: digit_forms rest (variable next) (S next)
  end.

Lemma digit_forms_eval : forall sizes u next before after n,
  Forall (fun k => 0 < k) sizes -> length before = next ->
  eval (before ++ quotients sizes n ++ after) u = n ->
  map (eval (before ++ quotients sizes n ++ after)) (digit_forms sizes u next) = digits sizes n.
Proof.
  induction sizes as [|m [|k rest] IH]; intros u next before after n Hs <- Hu; auto.
  - simpl in *. now rewrite Hu.
  - inversion Hs as [|? ? Hm Hs']; subst.
    change (quotients (m :: k :: rest) n) with (n / m :: quotients (k :: rest) (n / m)) in *.
    change (digit_forms (m :: k :: rest) u (length before))
      with (minus u (scale m (variable (length before)))
            :: digit_forms (k :: rest) (variable (length before)) (S (length before))).
    change (digits (m :: k :: rest) n) with (n mod m :: digits (k :: rest) (n / m)).
    rewrite <- app_comm_cons in *.
    assert (Hq : eval (before ++ n / m :: quotients (k :: rest) (n / m) ++ after)
                   (variable (length before)) = n / m) by apply eval_variable.
    cbn [map]. f_equal.
    + rewrite eval_minus, eval_scale, Hq, Hu. rewrite Z.mod_eq by lia. reflexivity.
    + replace (before ++ n / m :: quotients (k :: rest) (n / m) ++ after)
        with ((before ++ [n / m]) ++ quotients (k :: rest) (n / m) ++ after) in *
        by now rewrite <- app_assoc.
      apply IH; auto. rewrite app_length. simpl. lia.
Qed.

(** The position of a view at digits that are given last axis first. *)
Definition position_form (v : view) (forms : list form) : form :=
  add (Form [] (offset v)) (weighted (rev (strides v)) forms).

Definition view_digits (v : view) (u : form) (next : nat) : list form :=
  digit_forms (rev (shape v)) u next.

Lemma dot_rev : forall a i, length a = length i -> dot (rev a) (rev i) = dot a i.
Proof.
  induction a as [|x a IH]; intros [|y i] H; simpl in *; try discriminate; auto.
  rewrite dot_app by (rewrite !rev_length; lia). rewrite IH by lia. simpl. ring.
Qed.

Lemma in_box_app : forall b c i j,
  length b = length i -> (in_box (b ++ c) (i ++ j) <-> in_box b i /\ in_box c j).
Proof.
  induction b as [|[lo hi] b IH]; intros c [|x i] j H; simpl in *; try discriminate; [tauto|].
  rewrite IH by lia. tauto.
Qed.

Lemma in_box_rev : forall b i, in_box (rev b) (rev i) <-> in_box b i.
Proof.
  induction b as [|[lo hi] b IH]; intros [|x i].
  - tauto.
  - split; intros H; apply in_box_length in H; rewrite ?rev_length in H; discriminate.
  - split; intros H; apply in_box_length in H; rewrite ?rev_length in H; discriminate.
  - simpl rev. destruct (Nat.eq_dec (length b) (length i)) as [E|N].
    + rewrite in_box_app, IH by now rewrite !rev_length. simpl. tauto.
    + split; intros H; apply in_box_length in H;
        rewrite ?app_length, ?rev_length in H; simpl in H; lia.
Qed.

(** The quotients of all views below, at a position that comes from above. *)
Fixpoint chain_quotients (below : list view) (n : Z) : list Z :=
  match below with
  | [] => []
  | v :: rest => quotients (rev (shape v)) n ++ chain_quotients rest (at_position v n)
  end.

(** How many quotients there are. *)
Fixpoint quotient_count (below : list view) : nat :=
  match below with
  | [] => 0
  | v :: rest => Nat.pred (length (shape v)) + quotient_count rest
  end.

Lemma chain_quotients_length : forall below n, length (chain_quotients below n) = quotient_count below.
Proof.
  induction below as [|v rest IH]; intros n; simpl; auto.
  now rewrite app_length, quotients_length, rev_length, IH.
Qed.

(** The digits of one view have the values of unravelling, and its position is the right one. *)
Lemma view_encoded : forall v u next before after n,
  well_formed v -> 0 < count (shape v) -> length before = next ->
  let z := before ++ quotients (rev (shape v)) n ++ after in
  eval z u = n ->
  map (eval z) (view_digits v u next) = rev (unravel (shape v) n)
  /\ eval z (position_form v (view_digits v u next)) = at_position v n.
Proof.
  intros v u next before after n (Hs & Hl & _) Hc Hb z Hu.
  assert (Hp : Forall (fun k => 0 < k) (shape v)) by now apply count_pos_sizes.
  assert (E : map (eval z) (view_digits v u next) = rev (unravel (shape v) n)).
  { unfold view_digits, z. rewrite digit_forms_eval; auto using Forall_rev.
    now apply digits_unravel. }
  split; [exact E|]. unfold position_form. rewrite eval_add, eval_weighted, E.
  rewrite dot_rev, eval_constant by (rewrite unravel_length; exact Hl). reflexivity.
Qed.

(** ** Rows *)

(** Forms within the intervals of a box. *)
Fixpoint interval_rows (b : box) (forms : list form) : list row :=
  match b, forms with
  | (lo, hi) :: b', f :: forms' => Row f (Some lo) (Some (hi - 1)) :: interval_rows b' forms'
  | _, _ => []
  end.

Lemma interval_rows_hold : forall z b forms,
  in_box b (map (eval z) forms) -> Forall (holds z) (interval_rows b forms).
Proof.
  induction b as [|[lo hi] b IH]; intros [|f forms] H; simpl in *; auto.
  destruct H as [Hf H]. constructor; auto. split; simpl; lia.
Qed.

(** The rows of all views below, and the position in memory. *)
Fixpoint chain_rows (below : list view) (u : form) (next : nat) : list row :=
  match below with
  | [] => []
  | v :: rest =>
      let forms := view_digits v u next in
      interval_rows (rev (bounds v)) forms
      ++ chain_rows rest (position_form v forms) (next + Nat.pred (length (shape v)))
  end.

Fixpoint chain_form (below : list view) (u : form) (next : nat) : form :=
  match below with
  | [] => u
  | v :: rest =>
      let forms := view_digits v u next in
      chain_form rest (position_form v forms) (next + Nat.pred (length (shape v)))
  end.

Lemma valid_bounds_in : forall v i, valid v i -> in_box (bounds v) i.
Proof.
  intros v i [Hs Hm]. unfold bounds. destruct (mask v); simpl in Hm; [exact Hs | exact Hm | tauto].
Qed.

Lemma bounds_valid : forall v i,
  mask v <> Nothing -> in_shape (shape v) i -> in_box (bounds v) i -> valid v i.
Proof.
  intros v i Hm Hs Hb. split; [exact Hs|]. unfold bounds in Hb.
  destruct (mask v); simpl; auto.
Qed.

(** The next view counts the quotients of this one among the variables before its own. *)
Lemma next_before : forall (before : list Z) v n,
  length (before ++ quotients (rev (shape v)) n)
  = (length before + Nat.pred (length (shape v)))%nat.
Proof. intros. now rewrite app_length, quotients_length, rev_length. Qed.

(** The encoding: where the chain is valid, the quotients satisfy the rows of all
    views below, and the form for the position in memory has the value of the chain. *)
Theorem chain_encoded : forall below u next before after n,
  Forall well_formed below -> length before = next ->
  let z := before ++ chain_quotients below n ++ after in
  eval z u = n -> descend_valid below n ->
  Forall (holds z) (chain_rows below u next)
  /\ eval z (chain_form below u next) = descend below n.
Proof.
  induction below as [|v rest IH]; intros u next before after n Hw Hb z Hu Hd; simpl.
  { auto. }
  apply Forall_cons_iff in Hw as [Hv Hr]. subst next. destruct Hd as [Hi Hd].
  pose proof (in_shape_count _ _ (proj1 Hi)) as Hc.
  assert (Ez : z = before ++ quotients (rev (shape v)) n ++ (chain_quotients rest (at_position v n) ++ after))
    by (unfold z; simpl; now rewrite <- app_assoc).
  clearbody z. pose proof Hu as Hn'. rewrite Ez in Hn'.
  destruct (view_encoded v u _ before _ n Hv Hc eq_refl Hn') as [Ed Ep]. rewrite <- Ez in Ed, Ep.
  pose proof (next_before before v n) as El.
  assert (Ez' : z = (before ++ quotients (rev (shape v)) n)
                      ++ chain_quotients rest (at_position v n) ++ after)
    by (rewrite Ez; now rewrite <- app_assoc).
  destruct (IH (position_form v (view_digits v u (length before))) _ _ after (at_position v n) Hr El)
    as [H1 H2].
  { now rewrite <- Ez'. }
  { exact Hd. }
  rewrite <- Ez' in H1, H2. split; [|exact H2].
  apply Forall_app. split; [|exact H1].
  apply interval_rows_hold. rewrite Ed. apply in_box_rev. now apply valid_bounds_in.
Qed.

(** ** Leaving an interval on one side *)

(** A claim that something is impossible. Chains, views and axes are counted from
    0; one chain alone is chain 0. *)
Inductive claim :=
  | Empty (chain : nat)
  | Outside (axis : nat) (s : side)
  | Hole (chain view axis : nat) (s : side)
  | Above
  | Below.

(** A claim and the system that must have no solution. *)
Definition task := (claim * system)%type.

Definition task_unsolvable (t : task) : Prop := unsolvable (rows_of (snd t)).

(** Forms that are known to lie in an outer box are to lie in an inner one: one
    task for each side of each axis where the inner interval is smaller. *)
Fixpoint narrowing (name : nat -> side -> claim) (axis : nat) (outer inner : box)
    (forms : list form) (rows : list row) : list task :=
  match outer, inner, forms with
  | (lo, hi) :: outer', (a, b) :: inner', f :: forms' =>
      (if lo <? a then [(name axis Low, System rows [Row f None (Some (a - 1))])] else [])
      ++ (if b <? hi then [(name axis High, System rows [Row f (Some b) None])] else [])
      ++ narrowing name (S axis) outer' inner' forms' rows
  | _, _, _ => []
  end.

Lemma narrowing_sound : forall z name rows outer inner forms axis,
  Forall (holds z) rows -> length inner = length outer ->
  Forall task_unsolvable (narrowing name axis outer inner forms rows) ->
  in_box outer (map (eval z) forms) -> in_box inner (map (eval z) forms).
Proof.
  intros z name rows. induction outer as [|[lo hi] outer IH];
    intros [|[a b] inner] [|f forms] axis Hz Hl Ht Ho; simpl in *; try discriminate; try tauto.
  destruct Ho as [Hf Ho]. apply Forall_app in Ht as [Ht1 Ht]. apply Forall_app in Ht as [Ht2 Ht].
  split; [|eauto]. split.
  - destruct (Z.ltb_spec lo a); [|lia]. inversion Ht1 as [|? ? Hu _]; subst.
    destruct (Z_lt_le_dec (eval z f) a); [|assumption]. exfalso. apply (Hu z).
    apply Forall_app. split; [exact Hz|]. repeat constructor. simpl. lia.
  - destruct (Z.ltb_spec b hi); [|lia]. inversion Ht2 as [|? ? Hu _]; subst.
    destruct (Z_lt_le_dec (eval z f) b); [assumption|]. exfalso. apply (Hu z).
    apply Forall_app. split; [exact Hz|]. repeat constructor. simpl. lia.
Qed.

(** The tasks that no digit leaves the mask of any view below, given the rows [first],
    those of the views above it, and the rows [last]. *)
Fixpoint hole_claims (chain : nat) (below : list view) (u : form) (next : nat)
    (first last : list row) : list task :=
  match below with
  | [] => []
  | v :: rest =>
      let forms := view_digits v u next in
      let all := box_of (shape v) in
      narrowing (Hole chain (length rest)) 0 all (bounds v) (rev forms)
        (first ++ interval_rows (rev all) forms ++ last)
      ++ hole_claims chain rest (position_form v forms) (next + Nat.pred (length (shape v)))
           (first ++ interval_rows (rev (bounds v)) forms) last
  end.

(** If no digit can leave a mask, the chain is valid all the way down. *)
Theorem hole_claims_sound : forall chain below u next before after n first last,
  Forall well_formed below -> Forall (fun v => mask v <> Nothing) below -> length before = next ->
  let z := before ++ chain_quotients below n ++ after in
  eval z u = n -> descend_composable below n ->
  Forall (holds z) first -> Forall (holds z) last ->
  Forall task_unsolvable (hole_claims chain below u next first last) ->
  descend_valid below n.
Proof.
  intros chain.
  induction below as [|v rest IH];
    intros u next before after n first last Hw Hm Hb z Hu Hc Hfirst Hlast Ht; simpl; auto.
  apply Forall_cons_iff in Hw as [Hv Hr]. apply Forall_cons_iff in Hm as [Hmv Hmr]. subst next.
  destruct Hc as [Hn Hc]. simpl in Ht. apply Forall_app in Ht as [Hn1 Ht].
  assert (Ez : z = before ++ quotients (rev (shape v)) n ++ (chain_quotients rest (at_position v n) ++ after))
    by (unfold z; simpl; now rewrite <- app_assoc).
  clearbody z. pose proof Hu as Hn'. rewrite Ez in Hn'.
  destruct (view_encoded v u _ before _ n Hv ltac:(lia) eq_refl Hn') as [Ed Ep].
  rewrite <- Ez in Ed, Ep.
  assert (Hs : in_shape (shape v) (unravel (shape v) n))
    by (apply unravel_in_shape; [apply Hv | exact Hn]).
  assert (Ei : map (eval z) (rev (view_digits v u (length before))) = unravel (shape v) n)
    by now rewrite map_rev, Ed, rev_involutive.
  assert (Hi : valid v (unravel (shape v) n)).
  { apply bounds_valid; auto. rewrite <- Ei.
    eapply narrowing_sound; [| |exact Hn1|rewrite Ei; exact Hs].
    - apply Forall_app. split; [exact Hfirst|]. apply Forall_app. split; [|exact Hlast].
      apply interval_rows_hold. rewrite Ed. now apply in_box_rev.
    - rewrite box_of_length. now apply bounds_length. }
  split; [exact Hi|]. specialize (Hc Hi).
  pose proof (next_before before v n) as El.
  assert (Ez' : z = (before ++ quotients (rev (shape v)) n)
                      ++ chain_quotients rest (at_position v n) ++ after)
    by (rewrite Ez; now rewrite <- app_assoc).
  fold (at_position v n).
  apply (IH _ _ (before ++ quotients (rev (shape v)) n) after (at_position v n) _ last) in Ht; auto;
    rewrite <- Ez'; auto.
  apply Forall_app. split; [exact Hfirst|].
  apply interval_rows_hold. rewrite Ed. apply in_box_rev. now apply valid_bounds_in.
Qed.
