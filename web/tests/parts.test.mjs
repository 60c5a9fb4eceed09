// Tests of the parts that need no page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { boxChain, paramsOf, rangesOf } from "../src/boxes.js";
import { framesOf } from "../src/carry.js";
import { Links } from "../src/links.js";
import { unpack } from "../src/lzma.js";
import { append, OPS } from "../src/ops.js";
import { numbersIn, runs, spanOf, toChange } from "../src/slider.js";
import { fromFragment, History, toFragment } from "../src/state.js";
import { readStarts, windowOf, writeStarts } from "../src/windows.js";

test("a link holds the whole state", () => {
  const state = { ...fromFragment(""), chain: "(18):(1)+2 [2:17] | (16,3)", show: "below", colour: "bank", tab: "slider", lang: "rust", number: "3", span: "all", windows: "1:0.32", width: "8" };
  assert.deepEqual(fromFragment(toFragment(state)), state);
  assert.equal(fromFragment("#chain=(2)").chain, "(2)");
  // Links from versions before the switch of modes.
  assert.deepEqual([fromFragment("#tab=cute").mode, fromFragment("#tab=cute").tab], ["cute", "why"]);
  assert.equal(fromFragment("#embed&chain=(2)").embed, "1");
});

test("typing is one step, everything else a step of its own", () => {
  const history = new History({ chain: "a" });
  history.go({ chain: "b" }, true, 0);
  history.go({ chain: "c" }, true, 100);
  history.go({ chain: "d" }, false, 200);
  assert.equal(history.undo().chain, "c");
  assert.equal(history.undo().chain, "a");
  assert.equal(history.undo(), null);
  assert.equal(history.redo().chain, "c");
  history.go({ chain: "e" }, false, 300);
  assert.equal(history.canRedo, false);
});

test("windows never hold more than some thousand cells, and lie within their view", () => {
  const count = (window) => window.reduce((all, [lo, hi]) => all * (hi - lo), 1);
  for (const shape of [[], [0], [5], [100000], [3, 0], [1024, 1024], [7, 1024, 3], ["4611686018427387904"], [2, 3, 4, 5, 6, 7, 8]]) {
    for (const start of [0, 5, 1e9]) {
      const window = windowOf(shape, shape.map(() => start));
      assert.ok(count(window) <= 1024, `${shape}`);
      window.forEach(([lo, hi], axis) => assert.ok(lo >= 0 && lo <= hi && hi <= Number(shape[axis]), `${shape} ${window}`));
    }
  }
  assert.deepEqual(windowOf([2, 3]), [[0, 2], [0, 3]]);
  assert.equal(writeStarts(readStarts("1:0.32;0:5")), "1:0.32;0:5");
});

test("an element is linked to what it reads and to all that read it", () => {
  const cells = (positions) => positions.map((position, index) => ({ index, position }));
  // (2):(5) below a broadcast, and a hole.
  const links = new Links([cells([0, 5]), cells([0, 0, 1, null])]);
  const sets = (found) => Object.fromEntries([...found].map(([view, set]) => [view, [...set]]));
  assert.deepEqual(sets(links.of(1, 2)), { 1: ["2"], 0: ["1"], "-1": ["5"] });
  assert.deepEqual(sets(links.of(-1, 0)), { "-1": ["0"], 0: ["0"], 1: ["0", "1"] });
  assert.deepEqual(sets(links.of(1, 3)), { 1: ["3"] });
});

test("sizes and strides are found, offsets are not", () => {
  const found = numbersIn("(18):(-1)-2 [2:17] | (16,3):(1,4)");
  assert.deepEqual(found.map(({ value, stride }) => [value, stride]), [[18, false], [-1, true], [2, false], [17, false], [16, false], [3, false], [1, true], [4, true]]);
  assert.deepEqual(spanOf({ value: 2, stride: false }, 48), [0, 47]);
  assert.deepEqual(runs("mmnm", 3).map(({ from, to }) => [from, to]), [[3, 4], [5, 5], [6, 6]]);
});

test("the nearest change of the verdict", () => {
  assert.equal(toChange("mmmnne", 3, 4), 2);
  assert.equal(toChange("mmmnne", 3, 7), 2);
  assert.equal(toChange("mmm", 0, 1), Infinity);
  assert.equal(toChange("eem", 0, 1), Infinity);
});

test("a box over an edge is padded and cut", () => {
  assert.equal(boxChain("(20,30):(30,1)", [8, 8], [16, 24]).text, "pad((0,4),(0,2)) | shrink((16,24),(24,32))");
  assert.equal(boxChain("(20,30)", [8, 8], [-3, 0]).text, "pad((3,0),(0,0)) | shrink((0,8),(0,8))");
  assert.equal(boxChain("(20,(3,10))", [8, 8], [0, 0]), null);
  assert.equal(boxChain("(20,30)", [8], [0, 0]), null);
});

test("a carry goes from the last digit to the first, and ends at the digits told", () => {
  const level = (view, digits, linear, position) => ({ view, digits, linear, position });
  for (let from = 0; from < 90; from++) {
    for (let to = 0; to < 90; to++) {
      const digits = (n) => [Math.floor(n / 9), Math.floor(n / 3) % 3, n % 3];
      const step = { from: [null, level(0, digits(from), from, 0)], to: [null, level(0, digits(to), to, 0)] };
      const frames = framesOf(step, 1, { shape: [10, 3, 3], strides: [8, 1, 2] });
      assert.deepEqual(frames.at(-1).digits, digits(to));
    }
  }
});

test("an offset is moved with its sign", () => {
  const [, , offset] = numbersIn("(4):(1)+12 | (4)");
  assert.deepEqual([offset.value, offset.sign, offset.stride], [12, "+", false]);
});

test("an op is appended with its arguments selected", () => {
  const { text, from, to } = append("(2,3)", "permute", [2, 3]);
  assert.equal(text, "(2,3) | permute(1,0)");
  assert.equal(text.slice(from, to), "1,0");
  assert.equal(OPS.length, 14);
});

test("what is packed is unpacked", () => {
  const pack = (data) => {
    const how = `{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 24, "lc": 4, "lp": 0, "pb": 0}`;
    const script = `import lzma, sys; sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), format=lzma.FORMAT_ALONE, filters=[${how}])[13:])`;
    return execFileSync("python3", ["-c", script], { input: data, maxBuffer: 1 << 26 });
  };
  // Random bytes, bytes that repeat near and far, and text.
  let state = 7;
  const noise = Uint8Array.from({ length: 70_000 }, () => (state = (state * 1103515245 + 12345) & 0x7fffffff) >> 16);
  const cases = [
    new Uint8Array(0),
    Uint8Array.of(0),
    new Uint8Array(100_000),
    noise,
    Uint8Array.from({ length: 300_000 }, (_, at) => noise[(at * at) % 4096] & (at % 7 ? 0xff : 0x0f)),
    Uint8Array.from([...noise, ...noise.slice(0, 300), ...noise.slice(100, 60_000), ...new Uint8Array(9), ...noise]),
    new Uint8Array(readFileSync(new URL("../src/main.js", import.meta.url))),
  ];
  for (const data of cases) assert.deepEqual(unpack(pack(data), data.length), data);
});

test("names with bounds, and ranges", () => {
  assert.deepEqual(paramsOf("N, M>=2 <= 64, K%8"), { N: {}, M: { min: 2, max: 64 }, K: { multiple: 8 } });
  assert.equal(paramsOf("N, 3"), "3");
  assert.deepEqual(rangesOf("i=0:7, j = -1 : 3"), { i: [0, 7], j: [-1, 3] });
  assert.equal(rangesOf("i=0"), "i=0");
});
