// Passes questions to the library and returns its answers: JSON text, through its memory.
// It does not load the bytes of the library; index.js reads them from its folder.

export class Viewmerge {
  #module;
  #exports;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
    this.#start();
  }

  #start() {
    this.#exports = new WebAssembly.Instance(this.#module, {}).exports;
  }

  /** Answers a text of JSON with a text of JSON, the very one that `viewmerge batch` writes. */
  answer(text) {
    const bytes = new TextEncoder().encode(text);
    try {
      const at = this.#exports.question(bytes.length);
      new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
      const length = this.#exports.answer();
      // The memory may have grown, so get its buffer again.
      const answer = new Uint8Array(this.#exports.memory.buffer, this.#exports.answered(), length);
      return new TextDecoder().decode(answer);
    } catch (trap) {
      // Memory or the stack ran out: this instance can no longer be trusted.
      this.#start();
      return JSON.stringify({ error: { kind: "machine", message: String(trap) } });
    }
  }

  /** Asks a question and reads the answer. Integers beyond ±(2^53 − 1) lose digits, see `answer`. */
  ask(question) {
    return JSON.parse(this.answer(JSON.stringify(question)));
  }
}

/** The library from the bytes of viewmerge.wasm. */
export async function load(bytes) {
  return new Viewmerge(await WebAssembly.compile(bytes));
}
