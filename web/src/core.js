// The library in the page. Its bytes are in the page itself, compressed, so that it needs no
// server and no network: a page that is opened from a disk may not fetch.

import { load } from "../../crates/viewmerge-wasm/npm/core.js";
import { unpack } from "./lzma.js";

/** How long a question may take while somebody types; about a hundredth of a second. */
export const STEPS = 100_000;

export async function open() {
  const [size, count, letters] = document.getElementById("wasm").textContent.trim().split(" ");
  return load(unpack(bytes(letters, Number(count)), Number(size)));
}

/** What `bundle` has written: five letters for every four bytes. */
function bytes(letters, count) {
  const digit = new Uint8Array(128);
  let digits = 0;
  for (let code = 33; code < 127; code += 1) {
    if (!"\"'\\<>&`/-".includes(String.fromCharCode(code))) digit[code] = digits++;
  }
  const packed = new DataView(new ArrayBuffer((letters.length / 5) * 4));
  for (let from = 0, to = 0; from < letters.length; from += 5, to += 4) {
    let number = 0;
    for (let place = 0; place < 5; place += 1) number = number * 85 + digit[letters.charCodeAt(from + place)];
    packed.setUint32(to, number);
  }
  return new Uint8Array(packed.buffer, 0, count);
}
