// The library in the page; boot.js has unpacked its bytes.

import { load } from "../../crates/viewmerge-wasm/npm/core.js";

/** How long a question may take while somebody types; about a hundredth of a second. */
export const STEPS = 100_000;

export const open = () => load(globalThis.viewmergeLibrary);
