(* Coq's integers as those of zarith. *)

include Z

(* Coq divides towards minus infinity, and defines division by zero. *)
let floor_div a b =
  if sign b = 0 then zero else if sign a >= 0 && sign b > 0 then div a b else fdiv a b

let floor_mod a b = sub a (mul b (floor_div a b))

(* 0 for a negative integer. *)
let to_natural n = if sign n < 0 then 0 else to_int n

(* Coq's natural numbers, as machine integers: none is below 0. *)
let less (a : int) b = Stdlib.( < ) a b
let less_by (a : int) b = Stdlib.(if b < a then a - b else 0)

(* The cases of Coq's binary numbers, used nowhere that matters. *)
let double n = shift_left n 1
let double_plus_one n = succ (double n)

let match_positive odd even one n =
  if leq n (of_int 1) then one ()
  else if is_odd n then odd (shift_right n 1)
  else even (shift_right n 1)

let match_integer null positive negative n =
  match sign n with
  | 0 -> null ()
  | s when s > 0 -> positive n
  | _ -> negative (neg n)
