// The start: the library and the page's own style and script are in the page itself, packed, so that it needs no server and no
// network (a page that is opened from a disk may not fetch). They are unpacked, and the script goes on with main.js.

import { unpack } from "./lzma.js";

function boot() {
  const [library, style, script, count, letters] = document.getElementById("packed").textContent.trim().split(" ");
  const ends = [Number(library), Number(library) + Number(style), Number(library) + Number(style) + Number(script)];
  const all = unpack(bytes(letters, Number(count)), ends[2]);
  globalThis.viewmergeLibrary = all.subarray(0, ends[0]);
  for (const [name, from, to] of [["style", ends[0], ends[1]], ["script", ends[1], ends[2]]]) {
    const part = document.createElement(name);
    part.textContent = new TextDecoder().decode(all.subarray(from, to));
    document.body.append(part);
  }
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

try {
  boot();
} catch (error) {
  document.body.style.opacity = 1;
  document.getElementById("verdict-words").textContent = `The page did not start: ${error.message}`;
}
