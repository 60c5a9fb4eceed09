/** A view: its shape, strides and offset, and where it is valid. */
export interface View {
  shape: number[];
  strides?: number[];
  offset?: number;
  /** The valid interval of every axis; null if every index is valid. */
  mask?: [number, number][] | "nothing" | null;
}

/** Members of any question: the most steps of search, and an id for its answer to repeat. */
export interface Limited {
  steps?: number;
  id?: string | number;
}

/** A line of a batch. */
export type Line = Limited & { certify?: boolean } & (
    | { views: View[] }
    | { view: View; new_shape: number[] }
    | { shape: number[]; ops: unknown[] }
    | { chain: string }
  );

/** A line of a batch about CuTe layouts. */
export type LayoutLine = Limited & { cute: string; a: string; b?: string; extend?: boolean };

/** A layout, why there is none, a number, or a truth value. */
export type LayoutAnswer =
  | { layout: string }
  | { layout: null; witness: { kind: string; [more: string]: unknown } }
  | { value: number | boolean; witness?: unknown };

/** A line of a batch about an index expression: variables with their first and last values. */
export type ExpressionLine = Limited & { expr: string; vars: Record<string, [number, number]>; valid?: string };

export interface Simplified {
  expr: string;
  valid: string | null;
  divisions: number;
  view: Required<View> | null;
  decided?: boolean;
}

/** A line of a batch whose chain has unknown sizes and strides. */
export type SymbolicLine = Limited & {
  chain: string;
  params: Record<string, { min?: number | null; max?: number | null; multiple?: number }>;
};

export interface Symbolic {
  verdict: "always" | "never" | "when";
  requires: string | null;
  cases: { when: string | null; view: { shape: string[]; strides: string[]; offset: string; mask: [string, string][] | "nothing" | null } }[];
  open: string | null;
}

/** Threads that read a memory: its layout, (thread, values) to its positions, bytes of an element, values at once. */
export interface AccessPattern {
  a: string;
  b?: string;
  bytes?: number;
  vector?: number;
  banks?: number;
  width?: number;
  lanes?: number;
}

export interface Conflicts {
  degree: number;
  lanes: number;
  transactions: number;
  cycles: number;
  /** A degree and how many transactions have it, the largest first. */
  degrees: [number, number][];
  worst: { access: number; thread: number; bank: number; reads: [number, number][] } | null;
}

/** Why there is no answer; `at` is the place in the chain, in characters. */
export interface Refused {
  error: { kind: string; message: string; at?: number };
}

export type Witness =
  | { kind: "step"; axis: number; at: number[]; step: number; other: number[]; other_step: number }
  | { kind: "hole"; valid: [number[], number[]]; invalid: number[] };

export type Verdict =
  | { mergeable: true; view: Required<View>; certificate?: unknown }
  | { mergeable: false; witness: Witness; views: Required<View>[]; certificate?: unknown };

/** What `viewmerge explain --format json` writes. */
export interface Explained {
  mergeable: boolean;
  text: string;
  view: Required<View> | null;
  witness: Witness | null;
  because: unknown[];
  blame: unknown[];
  remedies: {
    stride: [view: number, axis: number, stride: number] | null;
    length: [axis: number, length: number] | null;
    split: number[][] | null;
    copy: { view: number; stored: [number, number][]; whole: boolean; elements: number; rest: Required<View> } | null;
  };
  tables: unknown[] | null;
}

/** A matrix instruction: which thread holds which elements of its operands. */
export interface MatrixInstruction {
  name: string;
  family: string;
  /** M, N and K; null for a copy. */
  shape: [number, number, number] | null;
  threads: number;
  note?: string;
  source: string;
  /** A layout takes (thread, value) to a position of the tile; null if no thread holds it. */
  operands: { name: string; tile: [number, number]; layout: string | null }[];
}

/** A number, or its digits if a number would lose some. */
export type Exact = number | string;

/** The questions by name, and their answers. */
export interface Questions {
  merge: [{ chain: string }, Verdict];
  explain: [{ chain: string; table?: boolean }, Explained];
  conditions: [{ chain: string; open?: boolean; table?: boolean }, { possible?: boolean; [more: string]: unknown }];
  expr: [
    { chain: string; lang?: string; names?: string[]; function?: string; shifts?: boolean; bare?: boolean },
    { form: unknown; guarded: unknown; text?: string; bare?: unknown },
  ];
  guarded: [{ chain: string }, { text: string; view: Required<View>; guards: unknown[] } | null];
  split: [{ chain: string }, { text: string; tiling: unknown }];
  dims: [{ chain: string }, { size: number; stride: number; real_size: number }[] | Verdict];
  equal: [{ chain: string; other: string }, { equal: boolean; index: number[] | null }];
  /** As equal, with the first index in order. */
  difference: [{ chain: string; other: string }, { equal: boolean; index: number[] | null }];
  certify: [{ chain: string; other?: string }, Record<string, unknown>];
  verify: [{ certificate: string }, { holds: true; shown: string; text: string } | { holds: false | null; reason: string }];
  draw: [
    | { chain: string; kind?: "chain" | "merge" | "guarded" | "split" }
    | { layout: string }
    | { layout: string; kind: "thread" | "value"; tile?: [number, number]; thread?: number }
    | ({ layout: string; kind: "banks" } & Omit<AccessPattern, "a">)
    | { layout: string; kind: "tile"; b: string; at: number[] },
    { svg: string },
  ];
  banks: [AccessPattern, { text: string; answer: Conflicts }];
  sectors: [AccessPattern, { text: string; answer: { most: number; warps: number; sectors: number; bytes: number } }];
  tiled_mma: [{ name: string; b: string; repeat?: [number, number, number] }, MatrixInstruction];
  tiled_copy: [{ a: string; b: string }, { text: string; answer: { tile?: [number, number]; layout: string | null } }];
  local_tile: [{ a: string; b: string; at: number[] }, { text: string; answer: { start?: number; layout: string | null } }];
  palette: [{}, { memory: [string, boolean][]; banks: [string, boolean][]; odd: [string, string] }];
  cute: [{ cute: string; a: string; b?: string; extend?: boolean }, { text: string; answer: LayoutAnswer }];
  atoms: [{ name?: string }, { family: string; names: string[]; n: number[] }[] | MatrixInstruction];
  languages: [{}, string[]];
  views: [
    { chain: string },
    { text: string; memory: [Exact, Exact] | null; views: { text: string; shape: Exact[]; strides: Exact[]; offset: Exact; count: Exact; valid: [Exact, Exact][] | null }[] },
  ];
  cells: [
    { chain: string; windows: ([number, number][] | null)[] },
    { views: ({ window: [Exact, Exact][]; index: Exact[]; position: (Exact | null)[]; memory: (Exact | null)[] } | null)[] },
  ];
  trace: [{ chain: string; index: number[] }, { levels: { view: number; digits: Exact[]; linear: Exact; position: Exact | null }[] }];
  witness: [{ chain: string }, Record<string, unknown> | null];
  remedies: [{ chain: string }, { kind: "stride" | "length" | "split" | "copy"; words: string; chain: string; op?: string }[]];
  sweep: [{ before: string; after: string; from: number; to: number }, { from: Exact; verdicts: string }];
}

export class Viewmerge {
  constructor(module: WebAssembly.Module);
  /** Answers JSON text with JSON text, the same bytes as the command. */
  answer(text: string): string;
  /** Answers a line of a batch. */
  ask(line: SymbolicLine): Symbolic | Refused;
  ask(line: LayoutLine): LayoutAnswer | Refused;
  ask(line: ExpressionLine): Simplified | Refused;
  ask(line: Line): Verdict | Refused;
  /** Answers a question that has a name. */
  ask<Name extends keyof Questions>(question: Limited & { ask: Name } & Questions[Name][0]): Questions[Name][1] | Refused;
}

/** The library from the bytes of viewmerge.wasm. */
export function load(bytes: BufferSource): Promise<Viewmerge>;

/** The library from the file beside this one; in Node only. */
export function open(): Promise<Viewmerge>;
