(* Bounds on the memory and processor time for one certificate. A small text can require very
   much; then there is no verdict. *)

exception Exceeded of string

let most_bytes = 1 lsl 30
let most_seconds = ref 20.

let within work =
  let full () =
    if (Gc.quick_stat ()).heap_words > most_bytes / (Sys.word_size / 8) then
      raise (Exceeded "it takes over 1 GiB of memory")
  in
  let alarm = Gc.create_alarm full in
  let late _ = raise (Exceeded (Printf.sprintf "it takes over %g seconds" !most_seconds)) in
  let before = Sys.signal Sys.sigvtalrm (Sys.Signal_handle late) in
  let set seconds =
    ignore (Unix.setitimer Unix.ITIMER_VIRTUAL { it_interval = 0.; it_value = seconds })
  in
  let finish () =
    set 0.;
    Sys.set_signal Sys.sigvtalrm before;
    Gc.delete_alarm alarm
  in
  set !most_seconds;
  match work () with
  | result -> finish (); result
  | exception Exceeded what -> finish (); Gc.compact (); raise (Exceeded what)
  | exception other -> finish (); raise other
