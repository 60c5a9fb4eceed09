import { readFile } from "node:fs/promises";
import { load } from "./core.js";

export { Viewmerge, load } from "./core.js";

/** The library from the file beside this one. */
export async function open() {
  return load(await readFile(new URL("viewmerge.wasm", import.meta.url)));
}
