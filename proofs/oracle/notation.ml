(* A chain as text, `(4,6) | permute(1,0) | slice(1:3)`: the first item is a view, a further one
   a view or an op. *)

open Checker
module Z = Zint

exception Mistake

type item = View of view | Op of Json.t

(* Brackets of one kind, and every `lo:hi` in quotes: then it is JSON. *)
let arguments text =
  let buffer = Buffer.create 64 in
  let slice = ref "" in
  let flush () =
    let t = String.trim !slice in
    if String.contains t ':' then Buffer.add_string buffer ("\"" ^ t ^ "\"")
    else Buffer.add_string buffer t;
    slice := ""
  in
  String.iter
    (function
      | '(' | '[' -> flush (); Buffer.add_char buffer '['
      | ')' | ']' -> flush (); Buffer.add_char buffer ']'
      | ',' -> flush (); Buffer.add_char buffer ','
      | c -> slice := !slice ^ String.make 1 c)
    text;
  flush ();
  try Json.parse (Buffer.contents buffer) with Json.Bad _ -> raise Mistake

(* The text up to a closing sign, and what follows. *)
let until sign text =
  match String.index_opt text sign with
  | Some n -> (String.sub text 0 (n + 1), String.trim (String.sub text (n + 1) (String.length text - n - 1)))
  | None -> raise Mistake

let starts sign text = text <> "" && text.[0] = sign
let rest text = String.trim (String.sub text 1 (String.length text - 1))

let numbers text = try Json.integers (arguments text) with Json.Bad _ -> raise Mistake

let view text =
  let shape, text = until ')' text in
  let shape = numbers shape in
  let strides, text =
    if starts ':' text then
      let strides, text = until ')' (rest text) in
      (numbers strides, text)
    else (row_major shape, text)
  in
  let offset, text =
    if starts '+' text || starts '-' text then
      let length = String.length text in
      let rec digits n = if n < length && text.[n] >= '0' && text.[n] <= '9' then digits (n + 1) else n in
      let n = digits 1 in
      let digits = String.sub text (if text.[0] = '+' then 1 else 0) (if text.[0] = '+' then n - 1 else n) in
      match Number.of_text digits with
      | Some offset -> (offset, String.trim (String.sub text n (length - n)))
      | None -> raise Mistake
    else (Z.zero, text)
  in
  let interval = function
    | Json.String s -> (
        match List.map (fun t -> Number.of_text (String.trim t)) (String.split_on_char ':' s) with
        | [ Some lo; Some hi ] -> (lo, hi)
        | _ -> raise Mistake)
    | _ -> raise Mistake
  in
  let mask =
    match text with
    | "" -> All
    | "nothing" -> Nothing
    | text when starts '[' text -> Box (Json.list interval (arguments text))
    | _ -> raise Mistake
  in
  { shape; strides; offset; mask }

let op text =
  match String.index_opt text '(' with
  | Some n ->
      let name = String.trim (String.sub text 0 n) in
      Op (List [ String name; arguments (String.sub text n (String.length text - n)) ])
  | None -> raise Mistake

let items text =
  List.map
    (fun item ->
      let item = String.trim item in
      if starts '(' item then View (view item) else op item)
    (String.split_on_char '|' text)
