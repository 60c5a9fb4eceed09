(* JSON, with integers of any size; other numbers are dropped, since nothing uses them.

   Deeper values take no more stack: the reader passes its continuation along. *)

type t =
  | Null
  | Bool of bool
  | Int of Z.t
  | Fraction  (* a number with a point or an exponent *)
  | String of string
  | List of t list
  | Object of (string * t) list

exception Bad of string

(* Digits, with an optional minus. *)
let integer_of_digits text =
  if String.length text <= 18 then Z.of_int (int_of_string text) else Z.of_string text

let parse text =
  let length = String.length text in
  let place = ref 0 in
  let bad what = raise (Bad (Printf.sprintf "%s at column %d" what (!place + 1))) in
  let peek () = if !place < length then String.unsafe_get text !place else '\000' in
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
    if text.[digits] = '0' && !place > digits + 1 then bad "a number that begins with 0";
    let whole = !place in
    let more () =
      let from = !place in
      while match peek () with '0' .. '9' -> true | _ -> false do incr place done;
      if !place = from then bad "no digit"
    in
    if peek () = '.' then (incr place; more ());
    (match peek () with
     | 'e' | 'E' ->
         incr place;
         (match peek () with '+' | '-' -> incr place | _ -> ());
         more ()
     | _ -> ());
    if !place > whole then Fraction
    else Int (integer_of_digits (String.sub text start (whole - start)))
  in
  let hex () =
    let digit sum =
      match next () with
      | '0' .. '9' as c -> (16 * sum) + Char.code c - Char.code '0'
      | 'a' .. 'f' as c -> (16 * sum) + Char.code c - Char.code 'a' + 10
      | 'A' .. 'F' as c -> (16 * sum) + Char.code c - Char.code 'A' + 10
      | _ -> decr place; bad "no hexadecimal digit"
    in
    digit (digit (digit (digit 0)))
  in
  let code_point () =
    let first = hex () in
    if first < 0xd800 || first > 0xdfff then Uchar.of_int first
    else begin
      (* Two halves of one character. *)
      expect '\\';
      expect 'u';
      let second = hex () in
      if first > 0xdbff || second < 0xdc00 || second > 0xdfff then bad "half a character";
      Uchar.of_int (0x10000 + ((first - 0xd800) lsl 10) + (second - 0xdc00))
    end
  in
  let string () =
    expect '"';
    let start = !place in
    while match peek () with '"' | '\\' | '\000' .. '\031' -> false | _ -> true do incr place done;
    if peek () = '"' then begin
      incr place;
      String.sub text start (!place - 1 - start)
    end
    else begin
      let buffer = Buffer.create 64 in
      Buffer.add_substring buffer text start (!place - start);
      let rec go () =
        match next () with
        | '"' -> Buffer.contents buffer
        | '\\' ->
            (match next () with
             | 'n' -> Buffer.add_char buffer '\n'
             | 't' -> Buffer.add_char buffer '\t'
             | 'r' -> Buffer.add_char buffer '\r'
             | 'b' -> Buffer.add_char buffer '\b'
             | 'f' -> Buffer.add_char buffer '\012'
             | 'u' -> Buffer.add_utf_8_uchar buffer (code_point ())
             | ('"' | '\\' | '/') as c -> Buffer.add_char buffer c
             | _ -> decr place; bad "an escape that does not exist");
            go ()
        | '\000' .. '\031' ->
            decr place;
            bad (if !place >= length then "an open string" else "a control character in a string")
        | c -> Buffer.add_char buffer c; go ()
      in
      go ()
    end
  in
  let rec value continue =
    blank ();
    match peek () with
    | 'n' -> continue (word "null" Null)
    | 't' -> continue (word "true" (Bool true))
    | 'f' -> continue (word "false" (Bool false))
    | '"' -> continue (String (string ()))
    | '[' ->
        incr place;
        blank ();
        if peek () = ']' then (incr place; continue (List [])) else items [] continue
    | '{' ->
        incr place;
        blank ();
        if peek () = '}' then (incr place; continue (Object [])) else members [] continue
    | _ -> continue (integer ())
  and items before continue =
    value (fun item ->
        let all = item :: before in
        blank ();
        match next () with
        | ',' -> items all continue
        | ']' -> continue (List (List.rev all))
        | _ -> decr place; bad "no ',' or ']'")
  and members before continue =
    blank ();
    let name = string () in
    blank ();
    expect ':';
    value (fun item ->
        let all = (name, item) :: before in
        blank ();
        match next () with
        | ',' -> members all continue
        | '}' -> continue (Object (List.rev all))
        | _ -> decr place; bad "no ',' or '}'")
  in
  value (fun result ->
      blank ();
      if !place < length then bad "text after the end";
      result)

(* A field of an object; null means missing. *)
let field name = function
  | Object members ->
      (match List.assoc_opt name members with Some Null -> None | found -> found)
  | _ -> raise (Bad "no object")

let required name json =
  match field name json with
  | Some value -> value
  | None -> raise (Bad ("no " ^ name))

(* The values of these members, if the object has each of them once and no other. *)
let exactly names = function
  | Object members ->
      if
        List.compare_lengths members names = 0
        && List.for_all (fun name -> List.mem_assoc name members) names
      then Some (List.map (fun name -> List.assoc name members) names)
      else None
  | _ -> raise (Bad "no object")

let integer = function Int n -> n | _ -> raise (Bad "no integer")
let list item = function List l -> List.rev (List.rev_map item l) | _ -> raise (Bad "no list")
let string = function String s -> s | _ -> raise (Bad "no string")
let integers = list integer
