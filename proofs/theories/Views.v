(** * Views, unravelling, chains: the definitions

    Everything is over the integers, an index is a list of integers, and sizes may be 0 or
    1. A chain lists the view next to memory first and the view the user indexes last, as
    in docs/study. *)

From Coq Require Import ZArith List Lia.
Import ListNotations.
Open Scope Z_scope.

(** ** Shapes and boxes *)

(** A box is a half-open interval for each axis. *)
Definition box := list (Z * Z).

Fixpoint in_box (b : box) (i : list Z) : Prop :=
  match b, i with
  | [], [] => True
  | (lo, hi) :: b', x :: i' => (lo <= x < hi) /\ in_box b' i'
  | _, _ => False
  end.

(** All indices of a shape. *)
Definition box_of (s : list Z) : box := map (fun n => (0, n)) s.

Definition in_shape (s i : list Z) : Prop := in_box (box_of s) i.

(** The number of elements: the product of the sizes, 1 for a scalar. *)
Definition count (s : list Z) : Z := fold_right Z.mul 1 s.

(** The sum of products, as far as both lists reach. *)
Fixpoint dot (a i : list Z) : Z :=
  match a, i with
  | x :: a', y :: i' => x * y + dot a' i'
  | _, _ => 0
  end.

(** The mixed-radix digits of a linear position, last axis fastest. *)
Fixpoint unravel (s : list Z) (n : Z) : list Z :=
  match s with
  | [] => []
  | _ :: s' => n / count s' :: unravel s' (n mod count s')
  end.

(** ** Views *)

(** Which indices read memory; all others read padding. A box over no axes
    cannot be empty, so [Nothing] is a case of its own. *)
Inductive validity := All | Box (b : box) | Nothing.

Record view := View {
  shape : list Z;
  strides : list Z;
  offset : Z;
  mask : validity
}.

Definition valid_at (m : validity) (i : list Z) : Prop :=
  match m with
  | All => True
  | Box b => in_box b i
  | Nothing => False
  end.

(** What makes four fields a view: one stride and one interval for each axis, no negative size. *)
Definition well_formed (v : view) : Prop :=
  Forall (fun n => 0 <= n) (shape v)
  /\ length (strides v) = length (shape v)
  /\ match mask v with Box b => length b = length (shape v) | _ => True end.

(** The position of an index; it matters only where the index is valid. *)
Definition index (v : view) (i : list Z) : Z := offset v + dot (strides v) i.

Definition valid (v : view) (i : list Z) : Prop :=
  in_shape (shape v) i /\ valid_at (mask v) i.

(** What a view reads at a linear position of its shape. *)
Definition at_position (v : view) (n : Z) : Z := index v (unravel (shape v) n).

(** ** Functions with padding *)

(** A partial function on indices: where it is valid, and its value there. *)
Record reading := Reading {
  defined : list Z -> Prop;
  value : list Z -> Z
}.

(** The same valid indices, and the same values on them. *)
Definition same_function (f g : reading) : Prop :=
  (forall i, defined f i <-> defined g i)
  /\ (forall i, defined f i -> value f i = value g i).

Definition view_reading (v : view) : reading := Reading (valid v) (index v).

(** ** Chains *)

(** A chain of views over memory: [below] from the user's side down to memory,
    that is, in the order in which an index passes through them. *)
Fixpoint descend_valid (below : list view) (n : Z) : Prop :=
  match below with
  | [] => True
  | v :: rest =>
      let i := unravel (shape v) n in
      valid v i /\ descend_valid rest (index v i)
  end.

Fixpoint descend (below : list view) (n : Z) : Z :=
  match below with
  | [] => n
  | v :: rest => descend rest (at_position v n)
  end.

(** The function F of the chain [rev below ++ [top]]: valid only if every stage is. *)
Definition stack (below : list view) (top : view) : reading :=
  Reading
    (fun i => valid top i /\ descend_valid below (index top i))
    (fun i => descend below (index top i)).

(** A non-empty chain, memory side first. *)
Definition chain_reading (chain : list view) : option reading :=
  match rev chain with
  | [] => None
  | top :: below => Some (stack below top)
  end.

(** Every valid position a view produces is a position of the view below it, for
    the positions an index of the chain reaches. ([stages_fit] in Checker.v is about all
    valid indices of every view, like the Rust library.) *)
Fixpoint descend_composable (below : list view) (n : Z) : Prop :=
  match below with
  | [] => True
  | v :: rest =>
      0 <= n < count (shape v)
      /\ (valid v (unravel (shape v) n) -> descend_composable rest (at_position v n))
  end.

Definition composable (below : list view) (top : view) : Prop :=
  forall i, valid top i -> descend_composable below (index top i).

(** One view of the given shape with the same function. *)
Definition mergeable (s : list Z) (f : reading) : Prop :=
  exists w, well_formed w /\ shape w = s /\ same_function (view_reading w) f.

(** ** Affine functions on a box *)

Definition affine_on (b : box) (f : list Z -> Z) (o : Z) (a : list Z) : Prop :=
  length a = length b /\ forall i, in_box b i -> f i = o + dot a i.

Definition affine (b : box) (f : list Z -> Z) : Prop := exists o a, affine_on b f o a.

(** [step i l] is the index [i] with axis [l] increased by one. *)
Fixpoint step (i : list Z) (l : nat) : list Z :=
  match i, l with
  | [], _ => []
  | x :: i', O => (x + 1) :: i'
  | x :: i', S l' => x :: step i' l'
  end.

(** The criterion: increasing an axis by one always adds the same. *)
Definition constant_increments (b : box) (f : list Z -> Z) : Prop :=
  forall l i j,
    in_box b i -> in_box b (step i l) -> in_box b j -> in_box b (step j l) ->
    (l < length b)%nat ->
    f (step i l) - f i = f (step j l) - f j.

(** An index set is a box if it is the set of indices of some box over these axes. *)
Definition is_box (k : nat) (p : list Z -> Prop) : Prop :=
  exists b, length b = k /\ forall i, p i <-> in_box b i.
