// The library in Node against the command: equal.mjs COMMAND. Every line of testdata/ as a batch,
// and what --format json writes for some chains, must be the same bytes.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { open } from "../../crates/viewmerge-wasm/npm/index.js";

const run = promisify(execFile);
const command = process.argv[2];
const root = new URL("../../", import.meta.url);
const viewmerge = await open();

/** What the command writes, whatever its exit status says. */
async function written(...args) {
  const { stdout } = await run(command, args, { maxBuffer: 1 << 28 }).catch((error) => {
    // 1 is "no", 2 and 3 are refusals, which have no JSON.
    if (error.code === 1) return error;
    throw error;
  });
  return stdout.trimEnd();
}

let lines = 0;
const folder = new URL("testdata/", root);
for (const name of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
  const path = new URL(name, folder);
  const questions = readFileSync(path, "utf8").trimEnd().split("\n");
  const answers = (await written("batch", path.pathname)).split("\n");
  assert.equal(answers.length, questions.length, name);
  questions.forEach((question, place) => assert.equal(viewmerge.answer(question), answers[place], `${name}, line ${place + 1}`));
  lines += questions.length;
}

// A certificate beside every answer, and views as the notation writes them.
const notation = ({ shape, strides, offset, mask }) => {
  const list = (numbers) => `(${numbers.join(",")})`;
  if (mask === "nothing") return `${list(shape)} nothing`;
  const valid = mask ? ` [${mask.map(([lo, hi]) => `${lo}:${hi}`).join(",")}]` : "";
  return `${list(shape)}:${list(strides)}${offset < 0 ? offset : `+${offset}`}${valid}`;
};
const cases = readFileSync(new URL("cases.jsonl", folder), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const whole = (view) => view.strides && "offset" in view;
const chains = cases.flatMap(({ views }) => (views?.every(whole) ? [views.map(notation).join(" | ")] : []));
chains.push("(2,3) | permute(1,0) | reshape(6)", "(18):(1)-2 [2:17] | (16,3):(1,1)", "(2,3,4) | permute(2,0,1) | reshape(8,3) | pad((0,0),(1,1))");

let asked = 0;
for (const chain of chains) {
  const pairs = [
    [{ ask: "merge", chain }, ["merge", "--format", "json", chain]],
    [{ ask: "explain", chain, table: true }, ["explain", "--table", "--format", "json", chain]],
    [{ ask: "conditions", chain }, ["conditions", "--format", "json", chain]],
    [{ ask: "expr", chain, lang: "c" }, ["expr", "--lang", "c", "--format", "json", chain]],
    [{ ask: "dims", chain }, ["dims", "--format", "json", chain]],
    [{ ask: "certify", chain }, ["certify", chain]],
  ];
  await Promise.all(
    pairs.map(async ([question, args]) => {
      const answer = viewmerge.answer(JSON.stringify(question));
      if (answer.startsWith('{"error"')) {
        await assert.rejects(run(command, args), { code: 2 }, `${args}: ${answer}`);
      } else {
        assert.equal(answer, await written(...args), args.join(" "));
      }
      asked += 1;
    }),
  );
}
assert.ok(lines > 11_000 && asked > 200, `${lines} lines, ${asked} questions`);

// Texts that are not questions, and questions that are too large, give errors.
for (const text of ["", "[]", "{", '{"ask":1}', '{"ask":"views"}', '{"ask":"views","chain":"(2"}', '{"ask":"cells","chain":"(9999)","windows":[[[0,9999]]]}']) {
  assert.ok(JSON.parse(viewmerge.answer(text)).error, text);
}
console.log(`${lines} lines and ${asked} named questions: all as the command answers them`);
