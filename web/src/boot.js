// The start: the page contains the library, its style and its script, packed, so that it needs no server and no network (a
// page opened from a disk may not fetch). This unpacks them, and main.js takes over.

import { unpack } from "./lzma.js";

function boot() {
  const text = document.getElementById("packed").textContent;
  const head = /^(\d+) (\d+) (\d+) (\d+) /.exec(text);
  const [library, style, script, count] = head.slice(1).map(Number);
  const ends = [library, library + style, library + style + script];
  const all = unpack(bytes(text, head[0].length, count), ends[2]);
  globalThis.viewmergeLibrary = all.subarray(0, ends[0]);
  for (const [name, from, to] of [["style", ends[0], ends[1]], ["script", ends[1], ends[2]]]) {
    const part = document.createElement(name);
    part.textContent = new TextDecoder().decode(all.subarray(from, to));
    document.body.append(part);
  }
}

/** What `bundle` has written from a place on: eleven of 94 letters for every nine bytes. */
function bytes(text, from, count) {
  const half = 2 ** 36;
  const packed = new Uint8Array(Math.ceil(count / 9) * 9);
  for (let to = 0; to < packed.length; from += 11, to += 9) {
    let [high, low] = [0, 0]; // The number is high * half + low; both stay below 2 ** 43.
    for (let place = 0; place < 11; place += 1) {
      const code = text.charCodeAt(from + place);
      low = low * 94 + code - (code > 60 ? 33 : 32); // Without `<`, which is 60.
      const carry = Math.floor(low / half);
      low -= carry * half;
      high = high * 94 + carry;
    }
    for (let place = 8; place >= 0; place -= 1) {
      const byte = low % 256;
      packed[to + place] = byte;
      low = (low - byte) / 256 + (high % 256) * 2 ** 28;
      high = Math.floor(high / 256);
    }
  }
  return packed.subarray(0, count);
}

try {
  boot();
} catch (error) {
  document.body.style.opacity = 1;
  document.getElementById("verdict-words").textContent = `The page did not start: ${error.message}`;
}
