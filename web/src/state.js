// The state of the page in one object; its history; and the link that holds it.

const PLAIN = {
  mode: "chain",
  embed: "",
  chain: "(10,3,3):(8,1,2) | (6):(4)",
  show: "memory",
  colour: "memory",
  tab: "why",
  lang: "c",
  number: "",
  span: "",
  windows: "",
  width: "",
  other: "(10,3,3):(8,1,2) | (6):(3)",
  cute: "compose",
  a: "(10,2):(16,4)",
  b: "(3,4):(1,5)",
  paint: "",
  tile: "",
  thread: "",
  atom: "SM80_16x8x16_F32F16F16F32_TN",
  bytes: "4",
  vector: "1",
  banks: "32",
  width_: "4",
  lanes: "",
  warps: "(2,2,1)",
  repeat: "",
  at: "1,0",
  sizes: "(8,N):(S,1) | reshape(8*N)",
  params: "N>=2, S",
  expr: "(4*i + j) // 8",
  vars: "i=0:7, j=0:3",
  valid: "",
};

/** The state that a link's fragment holds; what it leaves out is as usual. */
export function fromFragment(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const state = { ...PLAIN };
  for (const key of Object.keys(PLAIN)) {
    if (given.has(key)) state[key] = given.get(key);
  }
  // Links from versions in which modes were tabs; pages embedded in others.
  if (["cute", "sizes", "simplify"].includes(state.tab)) [state.mode, state.tab] = [state.tab, PLAIN.tab];
  if (given.has("embed")) state.embed = "1";
  return state;
}

/** The fragment that holds a state; what is as usual is left out, but not the chain. */
export function toFragment(state) {
  const parts = new URLSearchParams();
  for (const key of Object.keys(PLAIN)) {
    if (key === "chain" || state[key] !== PLAIN[key]) parts.set(key, state[key]);
  }
  // Brackets and commas are allowed in a fragment, and keep a chain readable.
  const readable = { "%28": "(", "%29": ")", "%2C": ",", "%3A": ":", "%5B": "[", "%5D": "]", "%3B": ";", "%7C": "|" };
  return "#" + parts.toString().replace(/%(28|29|2C|3A|5B|5D|3B|7C)/g, (code) => readable[code]);
}

/** States one can go back to. Changes in quick succession, as somebody types, are one. */
export class History {
  #past = [];
  #future = [];
  #present;
  #when = -Infinity;

  constructor(state) {
    this.#present = { ...state };
  }

  get present() {
    return this.#present;
  }
  get canUndo() {
    return this.#past.length > 0;
  }
  get canRedo() {
    return this.#future.length > 0;
  }

  /** Goes on to a state. Only another chain is a step of its own. */
  go(state, typed, now = performance.now()) {
    if (state.chain !== this.#present.chain) {
      const together = typed && now - this.#when < 800;
      if (!together) this.#past.push(this.#present);
      if (this.#past.length > 500) this.#past.shift();
      this.#future = [];
      this.#when = typed ? now : -Infinity;
    }
    this.#present = { ...state };
  }

  undo() {
    return this.#move(this.#past, this.#future);
  }
  redo() {
    return this.#move(this.#future, this.#past);
  }
  #move(from, to) {
    if (from.length === 0) return null;
    to.push(this.#present);
    this.#present = from.pop();
    this.#when = -Infinity;
    return { ...this.#present };
  }
}
