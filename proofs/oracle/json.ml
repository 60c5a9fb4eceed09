(* As much of JSON as questions and answers use: numbers are integers. *)

type t =
  | Null
  | Bool of bool
  | Int of Z.t
  | String of string
  | List of t list
  | Object of (string * t) list

exception Bad of string

let parse text =
  let length = String.length text in
  let place = ref 0 in
  let bad what = raise (Bad (Printf.sprintf "%s at column %d" what (!place + 1))) in
  let peek () = if !place < length then text.[!place] else '\000' in
  let next () =
    let c = peek () in
    incr place;
    c
  in
  let rec blank () =
    match peek () with
    | ' ' | '\t' | '\r' | '\n' -> incr place; blank ()
    | _ -> ()
  in
  let expect c = if next () <> c then (decr place; bad (Printf.sprintf "no '%c'" c)) in
  let word w value =
    String.iter expect w;
    value
  in
  let integer () =
    let start = !place in
    if peek () = '-' then incr place;
    let digits = !place in
    while match peek () with '0' .. '9' -> true | _ -> false do incr place done;
    if !place = digits then bad "no number";
    (match peek () with '.' | 'e' | 'E' -> bad "not an integer" | _ -> ());
    Int (Z.of_string (String.sub text start (!place - start)))
  in
  let string () =
    let buffer = Buffer.create 16 in
    expect '"';
    let rec go () =
      match next () with
      | '"' -> Buffer.contents buffer
      | '\\' ->
          (match next () with
           | 'n' -> Buffer.add_char buffer '\n'
           | 't' -> Buffer.add_char buffer '\t'
           | ('"' | '\\' | '/') as c -> Buffer.add_char buffer c
           | _ -> bad "an escape that is not read");
          go ()
      | '\000' when !place > length -> bad "an open string"
      | c -> Buffer.add_char buffer c; go ()
    in
    go ()
  in
  (* What stands between commas, up to a closing bracket. *)
  let rec items close item =
    blank ();
    if peek () = close then (incr place; [])
    else
      let first = item () in
      first :: more close item
  and more close item =
    blank ();
    match next () with
    | ',' ->
        blank ();
        let one = item () in
        one :: more close item
    | c when c = close -> []
    | _ -> decr place; bad "no ',' or end"
  in
  let rec value () =
    blank ();
    match peek () with
    | 'n' -> word "null" Null
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | '"' -> String (string ())
    | '[' -> incr place; List (items ']' value)
    | '{' -> incr place; Object (items '}' member)
    | _ -> integer ()
  and member () =
    let name = string () in
    blank ();
    expect ':';
    (name, value ())
  in
  let result = value () in
  blank ();
  if !place < length then bad "text after the end";
  result

(* A field of an object; null counts as left out. *)
let field name = function
  | Object members ->
      (match List.assoc_opt name members with Some Null -> None | found -> found)
  | _ -> raise (Bad "no object")

let required name json =
  match field name json with
  | Some value -> value
  | None -> raise (Bad ("no " ^ name))

let integer = function Int n -> n | _ -> raise (Bad "no integer")
let list item = function List l -> List.map item l | _ -> raise (Bad "no list")
let string = function String s -> s | _ -> raise (Bad "no string")
let integers = list integer
