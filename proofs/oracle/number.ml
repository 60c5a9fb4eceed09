(* Numbers of certificates: integers, or the digits of one in quotes. *)

module Z = Zint

let bad what = raise (Json.Bad what)

let all_digits text from =
  let rec go n = n >= String.length text || (text.[n] >= '0' && text.[n] <= '9' && go (n + 1)) in
  from < String.length text && go from

let of_text s =
  if all_digits s (if s <> "" && s.[0] = '-' then 1 else 0) then Some (Json.integer_of_digits s)
  else None

let read_opt = function Json.Int n -> Some n | Json.String s -> of_text s | _ -> None
let read json = match read_opt json with Some n -> n | None -> bad "no number"
let list = Json.list read

(* The number of a row, an axis, a view, a chain or a case. A negative number, or one that
   is not a machine integer, names nothing. *)
let ordinal json =
  let n = read json in
  if Z.sign n < 0 || not (Z.fits_int n) then max_int else Z.to_int n
