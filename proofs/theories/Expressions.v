(** * Index expressions, and the ways through their choices

    An expression has sums, multiples, floors and remainders by numbers, least and greatest
    values, and a choice by a condition. A *way* settles every choice: it has a variable for
    every division that is met, and rows for the choices made. On a way an expression is a
    linear form: docs/certificates.md, "Expressions".

    Example: i // 2 * 2 + i % 2 has one way, with the quotient q and the row 0 <= i - 2q <= 1. The
    form is 2q + (i - 2q) = i; the second division is the same as the first.

    Two expressions are the same if the ways of four questions have no point ([question_ways]); that
    this is enough is proved in Ways.v. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists System.
Import ListNotations.
Open Scope Z_scope.

(** ** Trees *)

Inductive ordering := Less | AtMost | Greater | AtLeast | Equal | Unequal.

(** Variables are counted from 0. [Extreme Low] is the least of its parts, [Extreme High] the
    greatest; [Joined true] is "and", [Joined false] is "or". *)
Inductive expression :=
  | Number (n : Z)
  | Input (v : nat)
  | Sum (parts : expressions)
  | Times (k : Z) (a : expression)
  | Quotient (a : expression) (m : Z)
  | Rest (a : expression) (m : Z)
  | Extreme (s : side) (first : expression) (others : expressions)
  | Where (c : condition) (a b : expression)
with expressions :=
  | NoPart
  | Part (a : expression) (rest : expressions)
with condition :=
  | Compare (a : expression) (o : ordering) (b : expression)
  | Joined (all : bool) (parts : conditions)
  | Not (c : condition)
with conditions :=
  | NoCondition
  | Also (c : condition) (rest : conditions).

Scheme expression_parts := Induction for expression Sort Prop
  with expressions_parts := Induction for expressions Sort Prop
  with condition_parts := Induction for condition Sort Prop
  with conditions_parts := Induction for conditions Sort Prop.
Combined Scheme tree_induction from
  expression_parts, expressions_parts, condition_parts, conditions_parts.

(** Only the first [n] variables occur, and every divisor is above 0. *)
Fixpoint sensible (n : nat) (e : expression) : bool :=
  match e with
  | Number _ => true
  | Input v => (v <? n)%nat
  | Sum parts => sensible_parts n parts
  | Times _ a => sensible n a
  | Quotient a m | Rest a m => (0 <? m) && sensible n a
  | Extreme _ first others => sensible n first && sensible_parts n others
  | Where c a b => sensible_condition n c && sensible n a && sensible n b
  end
with sensible_parts (n : nat) (es : expressions) : bool :=
  match es with
  | NoPart => true
  | Part a rest => sensible n a && sensible_parts n rest
  end
with sensible_condition (n : nat) (c : condition) : bool :=
  match c with
  | Compare a _ b => sensible n a && sensible n b
  | Joined _ parts => sensible_conditions n parts
  | Not c => sensible_condition n c
  end
with sensible_conditions (n : nat) (cs : conditions) : bool :=
  match cs with
  | NoCondition => true
  | Also c rest => sensible_condition n c && sensible_conditions n rest
  end.

(** ** Their meaning *)

Definition ordered (o : ordering) (a b : Z) : bool :=
  match o with
  | Less => a <? b
  | AtMost => a <=? b
  | Greater => b <? a
  | AtLeast => b <=? a
  | Equal => a =? b
  | Unequal => negb (a =? b)
  end.

(** The least, or the greatest. *)
Definition foremost (s : side) (first : Z) (others : list Z) : Z :=
  fold_right (match s with Low => Z.min | High => Z.max end) first others.

Definition joined (all : bool) (truths : list bool) : bool :=
  if all then forallb (fun t => t) truths else existsb (fun t => t) truths.

(** Division rounds down. *)
Fixpoint value_at (x : list Z) (e : expression) : Z :=
  match e with
  | Number n => n
  | Input v => nth v x 0
  | Sum parts => fold_right Z.add 0 (values_at x parts)
  | Times k a => k * value_at x a
  | Quotient a m => value_at x a / m
  | Rest a m => value_at x a mod m
  | Extreme s first others => foremost s (value_at x first) (values_at x others)
  | Where c a b => if true_at x c then value_at x a else value_at x b
  end
with values_at (x : list Z) (es : expressions) : list Z :=
  match es with
  | NoPart => []
  | Part a rest => value_at x a :: values_at x rest
  end
with true_at (x : list Z) (c : condition) : bool :=
  match c with
  | Compare a o b => ordered o (value_at x a) (value_at x b)
  | Joined all parts => joined all (truths_at x parts)
  | Not c => negb (true_at x c)
  end
with truths_at (x : list Z) (cs : conditions) : list bool :=
  match cs with
  | NoCondition => []
  | Also c rest => true_at x c :: truths_at x rest
  end.

(** An expression and the condition under which it has a value; without a condition it always has
    one. *)
Record partial := Partial { what : expression; counts : option condition }.

Definition counts_at (x : list Z) (p : partial) : bool :=
  match counts p with Some c => true_at x c | None => true end.

Definition meaning (x : list Z) (p : partial) : option Z :=
  if counts_at x p then Some (value_at x (what p)) else None.

Definition sensible_partial (n : nat) (p : partial) : bool :=
  sensible n (what p) && match counts p with Some c => sensible_condition n c | None => true end.

(** ** Ways *)

(** The form and the divisor of each quotient, and the rows, last one first. *)
Record way := Way { divisions : list (form * Z); passed : list row }.

Definition start : way := Way [] [].

Definition push (r : row) (w : way) : way := Way (divisions w) (r :: passed w).

Definition push_all (rs : list row) (w : way) : way := Way (divisions w) (rev_append rs (passed w)).

Fixpoint same_terms (a b : list (nat * Z)) : bool :=
  match a, b with
  | [], [] => true
  | (v, x) :: a', (u, y) :: b' => Nat.eqb v u && (x =? y) && same_terms a' b'
  | _, _ => false
  end.

Definition same_form (f g : form) : bool :=
  (constant f =? constant g) && same_terms (terms f) (terms g).

(** The number of a division that was met before. *)
Fixpoint known (ds : list (form * Z)) (f : form) (m : Z) : option nat :=
  match ds with
  | [] => None
  | (g, k) :: ds' => if (k =? m) && same_form g f then Some (length ds') else known ds' f m
  end.

(** The quotient, as a form. *)
Definition divide (n : nat) (f : form) (m : Z) (w : way) : form * way :=
  match known (divisions w) f m with
  | Some k => (variable (n + k), w)
  | None =>
      let q := variable (n + length (divisions w)) in
      (q, Way ((f, m) :: divisions w)
              (Row (minus f (scale m q)) (Some 0) (Some (m - 1)) :: passed w))
  end.

(** Each of some forms with all the others, in order. *)
Fixpoint picks (before after : list form) : list (form * list form) :=
  match after with
  | [] => []
  | f :: after' => (f, rev_append before after') :: picks (f :: before) after'
  end.

(** A form that is at most 0 if [f] is at least as extreme as [g]. *)
Definition behind (s : side) (f g : form) : form :=
  match s with Low => minus f g | High => minus g f end.

Definition choices (s : side) (forms : list form) (w : way) : list (form * way) :=
  map (fun p => (fst p, push_all (map (fun g => Row (behind s (fst p) g) None (Some 0)) (snd p)) w))
      (picks [] forms).

(** The ends of a - b, one pair for each way in which a and b are so ordered. *)
Definition ends (o : ordering) : list (option Z * option Z) :=
  match o with
  | Less => [(None, Some (-1))]
  | AtMost => [(None, Some 0)]
  | Greater => [(Some 1, None)]
  | AtLeast => [(Some 0, None)]
  | Equal => [(Some 0, Some 0)]
  | Unequal => [(None, Some (-1)); (Some 1, None)]
  end.

Definition opposite (o : ordering) : ordering :=
  match o with
  | Less => AtLeast
  | AtMost => Greater
  | Greater => AtMost
  | AtLeast => Less
  | Equal => Unequal
  | Unequal => Equal
  end.

Definition compared (f g : form) (w : way) (e : option Z * option Z) : way :=
  push (Row (minus f g) (fst e) (snd e)) w.

(** The continuations of a way: for an expression, with its form; for a condition that is
    [b]; for all of some conditions; for one of them. *)
Fixpoint ways (n : nat) (e : expression) (w : way) : list (form * way) :=
  match e with
  | Number k => [(Form [] k, w)]
  | Input v => [(variable v, w)]
  | Sum parts => map (fun p => (fold_right add (Form [] 0) (fst p), snd p)) (ways_of_parts n parts w)
  | Times k a => map (fun p => (scale k (fst p), snd p)) (ways n a w)
  | Quotient a m => map (fun p => divide n (fst p) m (snd p)) (ways n a w)
  | Rest a m =>
      map (fun p => let d := divide n (fst p) m (snd p) in (minus (fst p) (scale m (fst d)), snd d))
          (ways n a w)
  | Extreme s first others =>
      flat_map (fun p => flat_map (fun r => choices s (fst p :: fst r) (snd r))
                                  (ways_of_parts n others (snd p)))
               (ways n first w)
  | Where c a b =>
      flat_map (ways n a) (condition_ways n c true w)
      ++ flat_map (ways n b) (condition_ways n c false w)
  end
with ways_of_parts (n : nat) (es : expressions) (w : way) : list (list form * way) :=
  match es with
  | NoPart => [([], w)]
  | Part a rest =>
      flat_map (fun p => map (fun r => (fst p :: fst r, snd r)) (ways_of_parts n rest (snd p)))
               (ways n a w)
  end
with condition_ways (n : nat) (c : condition) (b : bool) (w : way) : list way :=
  match c with
  | Compare a1 o a2 =>
      flat_map (fun p => flat_map (fun r => map (compared (fst p) (fst r) (snd r))
                                                (ends (if b then o else opposite o)))
                                  (ways n a2 (snd p)))
               (ways n a1 w)
  | Joined all parts => if Bool.eqb all b then in_turn n parts b w else one_of n parts b w
  | Not c => condition_ways n c (negb b) w
  end
with in_turn (n : nat) (cs : conditions) (b : bool) (w : way) : list way :=
  match cs with
  | NoCondition => [w]
  | Also c rest => flat_map (in_turn n rest b) (condition_ways n c b w)
  end
with one_of (n : nat) (cs : conditions) (b : bool) (w : way) : list way :=
  match cs with
  | NoCondition => []
  | Also c rest => condition_ways n c b w ++ one_of n rest b w
  end.

(** ** Two expressions *)

Inductive question := IsAbove | IsBelow | IsLost | IsGained.

Definition counts_ways (n : nat) (p : partial) (b : bool) (w : way) : list way :=
  match counts p with
  | Some c => condition_ways n c b w
  | None => if b then [w] else []
  end.

(** The ways in which both have a value, with a last row for the difference. *)
Definition difference_ways (n : nat) (one two : partial) (e : option Z * option Z) : list way :=
  flat_map
    (fun w =>
       flat_map (fun p => map (fun r => compared (fst p) (fst r) (snd r) e) (ways n (what two) (snd p)))
                (ways n (what one) w))
    (counts_ways n one true start).

Definition question_ways (n : nat) (one two : partial) (q : question) : list way :=
  match q with
  | IsAbove => difference_ways n one two (Some 1, None)
  | IsBelow => difference_ways n one two (None, Some (-1))
  | IsLost => flat_map (counts_ways n two false) (counts_ways n one true start)
  | IsGained => flat_map (counts_ways n one false) (counts_ways n two true start)
  end.

(** The values that a variable takes, ends included. *)
Definition range_of := (option Z * option Z)%type.

Definition within_range (r : range_of) (t : Z) : Prop :=
  match fst r with Some a => a <= t | None => True end
  /\ match snd r with Some b => t <= b | None => True end.

Fixpoint range_rows (k : nat) (ranges : list range_of) : list row :=
  match ranges with
  | [] => []
  | (first, last) :: ranges' => Row (variable k) first last :: range_rows (S k) ranges'
  end.

(** The system of a way, which must have no point. *)
Definition way_system (ranges : list range_of) (w : way) : system :=
  System (range_rows 0 ranges) (passed w).
