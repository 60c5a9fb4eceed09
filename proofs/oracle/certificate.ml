(* Reads certificates and reports on them: docs/certificates.md.

   The proved checker decides ([accepts]); this file parses a certificate, and
   finds the reason if it does not hold. *)

open Checker
module Z = Zint

let bad = Number.bad
let number = Number.read
let numbers = Number.list
let ordinal = Number.ordinal

let side = function
  | Json.String "low" -> Low
  | Json.String "high" -> High
  | _ -> bad "a side that is neither low nor high"

(* ---- Views ---- *)

let interval json =
  match numbers json with [ lo; hi ] -> (lo, hi) | _ -> bad "no interval"

let view json =
  match Json.exactly [ "shape"; "strides"; "offset"; "mask" ] json with
  | Some [ shape; strides; offset; mask ] ->
      let mask =
        match mask with
        | Json.Null -> All
        | Json.String "nothing" -> Nothing
        | Json.List _ -> Box (Json.list interval mask)
        | _ -> bad "no mask"
      in
      let v = { shape = numbers shape; strides = numbers strides; offset = number offset; mask } in
      if not (acceptable v) then bad "the parts of a view do not fit together";
      v
  | _ -> bad "a view has just shape, strides, offset and mask"

let views json =
  match Json.list view json with [] -> bad "no view" | views -> views

(* ---- Proofs ---- *)

let term = function
  | Json.List [ row; s; multiplier ] -> ((ordinal row, side s), number multiplier)
  | _ -> bad "a term has a row, a side and a multiplier"

(* Deep proofs take no stack. *)
let proof json =
  let rec read json continue =
    match Json.exactly [ "absurd" ] json with
    | Some [ terms ] -> continue (Absurd (Json.list term terms))
    | _ -> (
        match Json.exactly [ "split"; "at"; "low"; "high" ] json with
        | Some [ form; at; low; high ] ->
            let form = numbers form and at = number at in
            read low (fun low -> read high (fun high -> continue (Split (form, at, low, high))))
        | _ -> bad "a proof is absurd, or a split with at, low and high")
  in
  read json Fun.id

(* A claim about one of two chains names it; with a single chain it does not, and means chain 0. *)
type chains = One | Two

let claim chains json =
  let wrong () = bad "a claim with other members than its own" in
  let members names =
    match Json.exactly ("claim" :: "proof" :: names) json with
    | Some (_ :: p :: values) -> (values, proof p)
    | _ -> wrong ()
  in
  let members_of_chain names =
    match chains with
    | One ->
        let values, p = members names in
        (0, values, p)
    | Two -> (
        match members ("chain" :: names) with
        | chain :: values, p -> (ordinal chain, values, p)
        | _ -> wrong ())
  in
  match Json.required "claim" json with
  | Json.String "empty" ->
      let chain, _, p = members_of_chain [] in
      (Empty chain, p)
  | Json.String "outside" -> (
      match members [ "axis"; "side" ] with
      | [ axis; s ], p -> (Outside (ordinal axis, side s), p)
      | _ -> wrong ())
  | Json.String "hole" -> (
      match members_of_chain [ "view"; "axis"; "side" ] with
      | chain, [ view; axis; s ], p -> (Hole (chain, ordinal view, ordinal axis, side s), p)
      | _ -> wrong ())
  | Json.String "above" -> (Above, snd (members []))
  | Json.String "below" -> (Below, snd (members []))
  | _ -> bad "an unknown claim"

let case_claim json =
  match Json.exactly [ "claim"; "case"; "proof" ] json with
  | Some [ claim; case; p ] ->
      let question =
        match claim with
        | Json.String "above" -> IsAbove
        | Json.String "below" -> IsBelow
        | Json.String "lost" -> IsLost
        | Json.String "gained" -> IsGained
        | _ -> bad "an unknown claim"
      in
      ((question, ordinal case), proof p)
  | _ -> bad "a claim about expressions has just claim, case and proof"

(* ---- Certificates ---- *)

let evidence json =
  let step = [ "kind"; "axis"; "at"; "step"; "other"; "other_step" ] in
  match (Json.exactly [ "kind"; "valid"; "invalid" ] json, Json.exactly step json) with
  | Some [ Json.String "hole"; valid; invalid ], _ -> (
      match Json.list numbers valid with
      | [ x; y ] -> Gap (x, y, numbers invalid)
      | _ -> bad "a hole without two valid indices")
  | _, Some [ Json.String "step"; axis; i; s; j; t ] ->
      Steps (ordinal axis, numbers i, number s, numbers j, number t)
  | _ -> bad "an unknown witness"

(* The members of each kind, and how they are read. *)
let kinds =
  let two f = function [ a; b ] -> f a b | _ -> bad "not two" in
  let three f = function [ a; b; c ] -> f a b c | _ -> bad "not three" in
  let four f = function [ a; b; c; d ] -> f a b c d | _ -> bad "not four" in
  [
    ( [ "views"; "merged"; "proofs" ],
      three (fun v w proofs -> IsView (views v, view w, Json.list (claim One) proofs)) );
    ([ "views"; "witness" ], two (fun v witness -> IsNoView (views v, evidence witness)));
    ( [ "views"; "other"; "proofs" ],
      three (fun v other proofs -> AreEqual (views v, views other, Json.list (claim Two) proofs)) );
    ( [ "views"; "other"; "differ" ],
      three (fun v other differ ->
          let index = match differ with Json.Null -> None | i -> Some (numbers i) in
          AreDifferent (views v, views other, index)) );
    ( [ "variables"; "one"; "two"; "proofs" ],
      four (fun v one two proofs ->
          let ranges, one, two = Expression.pair v one two in
          AreSame (ranges, one, two, Json.list case_claim proofs)) );
    ( [ "variables"; "one"; "two"; "differ" ],
      four (fun v one two point ->
          let ranges, one, two = Expression.pair v one two in
          AreNotSame (ranges, one, two, numbers point)) );
    ( [ "views"; "apart" ],
      two (fun v apart ->
          match Json.exactly [ "view"; "index" ] apart with
          | Some [ number; index ] -> AreApart (views v, ordinal number, numbers index)
          | _ -> bad "apart has just view and index") );
    ( [ "views"; "collision" ],
      two (fun v collision ->
          match Json.list numbers collision with
          | [ i; j ] -> IsNotInjective (views v, i, j)
          | _ -> bad "a collision has two indices") );
  ]

let read json =
  let rec find = function
    | [] -> bad "not the members of a certificate"
    | (names, make) :: rest -> (
        match Json.exactly names json with Some values -> make values | None -> find rest)
  in
  find kinds

(* ---- Verdicts ---- *)

type verdict = Holds | Fails of string | NoCertificate of string | TooLarge of string

let claim_text = function
  | Empty _ -> "empty"
  | Outside (axis, s) -> Printf.sprintf "outside axis %d %s" axis (if s = Low then "low" else "high")
  | Hole (chain, view, axis, s) ->
      Printf.sprintf "hole chain %d view %d axis %d %s" chain view axis
        (if s = Low then "low" else "high")
  | Above -> "above"
  | Below -> "below"

let unsettled tasks proofs =
  match tasks with
  | None -> "the shapes or the boxes do not allow the claim"
  | Some (variables, tasks) -> (
      let settles (c, rows) =
        match List.find_opt (fun (c', _) -> same_claim c c') proofs with
        | Some (_, p) -> refutes variables rows p
        | None -> false
      in
      match List.find_opt (fun task -> not (settles task)) tasks with
      | Some (c, _) -> "no proof of the claim: " ^ claim_text c
      | None -> "more proofs than claims")

let question_text = function
  | IsAbove -> "above"
  | IsBelow -> "below"
  | IsLost -> "lost"
  | IsGained -> "gained"

let unsettled_cases ranges one two proofs =
  let ways = List.fold_left (fun n q -> Z.add n (question_tally one two q)) Z.zero all_questions in
  if not (Z.equal ways (Z.of_int (List.length proofs))) then
    Printf.sprintf "%d proofs for %s ways" (List.length proofs) (Z.to_string ways)
  else
    let open_ q =
      not (cases_settled ranges q 0 (question_ways (List.length ranges) one two q) proofs)
    in
    match List.find_opt open_ all_questions with
    | Some q -> "a way has no proof of the claim: " ^ question_text q
    | None -> "the proofs do not fit"

let why certificate =
  let chains =
    match certificate with
    | IsView (v, _, _) | IsNoView (v, _) -> [ v ]
    | AreEqual (v, other, _) | AreDifferent (v, other, _) -> [ v; other ]
    | IsNotInjective (v, _, _) -> [ v ]
    | AreSame _ | AreNotSame _ | AreApart _ -> []
  in
  match (certificate, List.map chain_of chains) with
  | AreSame (ranges, one, two, proofs), _ -> unsettled_cases ranges one two proofs
  | AreNotSame (ranges, _, _, point), _ when not (within_ranges ranges point) ->
      "the point is not in the ranges"
  | AreNotSame _, _ -> "the expressions do not differ there"
  | AreApart _, _ -> "the index does not show that the views are apart"
  | _, found when List.mem None found -> "the views do not compose"
  | IsView (_, w, proofs), [ Some (below, top) ] -> unsettled (tasks_of_merged below top w) proofs
  | AreEqual (_, _, proofs), [ Some (below, top); Some (below', top') ] ->
      unsettled (tasks_of_equal below top below' top') proofs
  | IsNoView _, _ -> "the witness does not hold"
  | IsNotInjective _, _ -> "the indices are the same, or have different positions"
  | _ -> "the chains do not differ there"

let judge json =
  let verdict () =
    let certificate = read json in
    if accepts certificate then Holds else Fails (why certificate)
  in
  match Bounds.within verdict with
  | verdict -> verdict
  | exception Json.Bad what -> NoCertificate what
  | exception Bounds.Exceeded what -> TooLarge what

(* ---- Files ---- *)

type counts = { mutable hold : int; mutable fail : int; mutable other : int; mutable large : int }

let shorten text = if String.length text <= 300 then text else String.sub text 0 300 ^ "..."

let rest_of channel =
  let buffer = Buffer.create 65536 in
  (try
     while true do
       Buffer.add_channel buffer channel 1
     done
   with End_of_file -> ());
  Buffer.contents buffer

(* One certificate in a file, or one on each line that is not blank. The status is 0 if all
   hold, 1 if one does not, 2 if something is not a certificate or the file is empty, 3 if
   something is too large. *)
let verify channel =
  let counts = { hold = 0; fail = 0; other = 0; large = 0 } in
  let offending = ref None in
  let count number text verdict =
    let offends what =
      if !offending = None then
        offending := Some (Printf.sprintf "line %d %s\n  %s" number what (shorten text))
    in
    match verdict with
    | Holds -> counts.hold <- counts.hold + 1
    | Fails why -> counts.fail <- counts.fail + 1; offends ("does not hold: " ^ why)
    | NoCertificate why -> counts.other <- counts.other + 1; offends ("is no certificate: " ^ why)
    | TooLarge why -> counts.large <- counts.large + 1; offends ("is too large: " ^ why)
  in
  let judge_text text =
    match Json.parse text with json -> judge json | exception Json.Bad why -> NoCertificate why
  in
  let blank line = String.trim line = "" in
  let rec lines number =
    match input_line channel with
    | line ->
        if not (blank line) then count number line (judge_text line);
        lines (number + 1)
    | exception End_of_file -> ()
  in
  let rec start number =
    match input_line channel with
    | line when blank line -> start (number + 1)
    | line -> (
        match Json.parse line with
        | json -> count number line (judge json); lines (number + 1)
        | exception Json.Bad _ -> (
            (* It may span many lines. *)
            let rest = rest_of channel in
            match Json.parse (line ^ "\n" ^ rest) with
            | json -> count number (line ^ " ...") (judge json)
            | exception Json.Bad _ ->
                List.iteri
                  (fun n line -> if not (blank line) then count (number + n) line (judge_text line))
                  (line :: String.split_on_char '\n' rest)))
    | exception End_of_file -> ()
  in
  start 1;
  let large = if counts.large = 0 then "" else Printf.sprintf ", %d are too large" counts.large in
  Printf.printf "certificates: %d hold, %d do not hold, %d are none%s\n" counts.hold counts.fail
    counts.other large;
  Option.iter print_endline !offending;
  if counts.other > 0 || counts.hold + counts.fail + counts.large = 0 then 2
  else if counts.large > 0 then 3
  else if counts.fail > 0 then 1
  else 0
