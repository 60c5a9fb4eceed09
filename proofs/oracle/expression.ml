(* Index expressions of certificates: docs/certificates.md, "Expressions". *)

open Checker

let bad = Number.bad

(* A part may be nested in this many lists. *)
let deepest = 400

let reserved = [ "and"; "or"; "not"; "if"; "else"; "min"; "max"; "True"; "False" ]

let is_name word =
  let letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_' || c = '$' in
  word <> "" && letter word.[0]
  && String.for_all (fun c -> letter c || (c >= '0' && c <= '9')) word
  && not (List.mem word reserved)

let ordering = function
  | "<" -> Some Less
  | "<=" -> Some AtMost
  | ">" -> Some Greater
  | ">=" -> Some AtLeast
  | "==" -> Some Equal
  | "!=" -> Some Unequal
  | _ -> None

let divisor json =
  match Number.read_opt json with
  | Some m when Zint.sign m > 0 -> m
  | _ -> bad "a divisor is a number above 0"

(* [names] has the number of each variable. *)
let rec value names depth json =
  if depth > deepest then bad "more than 400 levels";
  let part = value names (depth + 1) in
  let parts jsons = List.fold_right (fun a rest -> Part (a, rest)) (List.map part jsons) NoPart in
  match json with
  | Json.Int n -> Number n
  | String s -> (
      match Number.of_text s with
      | Some n -> Number n
      | None -> (
          match Hashtbl.find_opt names s with
          | Some v -> Input v
          | None -> bad "neither a variable nor a number"))
  | List (String "+" :: all) -> Sum (parts all)
  | List [ String "*"; k; a ] -> (
      match Number.read_opt k with
      | Some k -> Times (k, part a)
      | None -> bad "a factor that is no number")
  | List [ String "//"; a; m ] -> Quotient (part a, divisor m)
  | List [ String "%"; a; m ] -> Rest (part a, divisor m)
  | List (String "min" :: first :: others) -> Extreme (Low, part first, parts others)
  | List (String "max" :: first :: others) -> Extreme (High, part first, parts others)
  | List [ String "where"; c; a; b ] -> Where (condition names (depth + 1) c, part a, part b)
  | _ -> bad "no value"

and condition names depth json =
  if depth > deepest then bad "more than 400 levels";
  let part = condition names (depth + 1) in
  let joined all parts =
    Joined (all, List.fold_right (fun c rest -> Also (c, rest)) (List.map part parts) NoCondition)
  in
  match json with
  | Json.List (String "and" :: parts) -> joined true parts
  | List (String "or" :: parts) -> joined false parts
  | List [ String "not"; c ] -> Not (part c)
  | List [ String sign; a; b ] -> (
      match ordering sign with
      | Some o -> Compare (value names (depth + 1) a, o, value names (depth + 1) b)
      | None -> bad "no condition")
  | _ -> bad "no condition"

let partial names json =
  match Json.exactly [ "value"; "valid" ] json with
  | Some [ v; valid ] ->
      let counts = match valid with Json.Null -> None | c -> Some (condition names 0 c) in
      { what = value names 0 v; counts }
  | _ -> bad "an expression has just value and valid"

(* The ranges of the variables, and two expressions of them. *)
let pair variables one two =
  let names = Hashtbl.create 16 in
  let limit = function Json.Null -> None | n -> Some (Number.read n) in
  let variable = function
    | Json.List [ String name; first; last ] ->
        if not (is_name name) then bad "a variable whose name is no name";
        if Hashtbl.mem names name then bad "a name twice";
        Hashtbl.add names name (Hashtbl.length names);
        (limit first, limit last)
    | _ -> bad "a variable has a name, a first and a last value"
  in
  let ranges = Json.list variable variables in
  let one = partial names one and two = partial names two in
  if not (sensible_pair ranges one two) then bad "an expression that is none";
  (ranges, one, two)
