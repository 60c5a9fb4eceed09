// The library in the page. Its bytes are in the page itself, compressed, so that it needs no
// server and no network: a page that is opened from a disk may not fetch.

import { load } from "../../crates/viewmerge-wasm/npm/core.js";

/** How long a question may take while somebody types; about a hundredth of a second. */
export const STEPS = 100_000;

export async function open() {
  const text = atob(document.getElementById("wasm").textContent.trim());
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return load(await new Response(stream).arrayBuffer());
}
