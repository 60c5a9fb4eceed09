// Real answers against docs/json-schema.json: schema.mjs, with NODE_PATH where ajv is. Every kind of question is
// asked, good and bad, and the schema and the library must take the same members.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { open } from "../../crates/viewmerge-wasm/npm/index.js";

const Ajv = createRequire(`${process.argv[2]}/`)("ajv/dist/2020.js");
const root = new URL("../../", import.meta.url);
const schema = JSON.parse(readFileSync(new URL("docs/json-schema.json", root), "utf8"));
const viewmerge = await open();

const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictTuples: false, strictRequired: false });
ajv.addSchema(schema, "exchange");
const exchanges = Object.keys(schema.$defs.exchanges);
const part = (name, rest = "") => ajv.getSchema(`exchange#/$defs/exchanges/${encodeURIComponent(name)}${rest}`);
const asked = new Map(exchanges.map((name) => [name, part(name, "/properties/question")]));

/** The answer without what it repeats. */
function answer(question) {
  const { id, ...members } = question;
  return JSON.parse(viewmerge.answer(JSON.stringify(members)));
}

/** The one kind of a question, whose answer is as the schema says. */
function check(question) {
  const kinds = exchanges.filter((name) => asked.get(name)(question));
  assert.equal(kinds.length, 1, `${JSON.stringify(question)} is ${kinds}`);
  const found = answer(question);
  const valid = part(kinds[0]);
  assert.ok(valid({ question, answer: found }), `${JSON.stringify(question)}: ${JSON.stringify(found)}: ${ajv.errorsText(valid.errors)}`);
  return [kinds[0], found];
}

const lines = (name) => readFileSync(new URL(`testdata/${name}.jsonl`, root), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const good = new Map();
for (const question of lines("questions")) {
  const [kind, found] = check(question);
  assert.ok(!found?.error, `${JSON.stringify(question)}: ${JSON.stringify(found)}`);
  good.set(kind, question);
}
assert.deepEqual([...good.keys()].sort(), [...exchanges].sort(), "there is a question of every kind");

// Recorded answers and hand-written ones, including refusals.
let answers = good.size;
for (const name of ["cases", "splits", "cute", "coordinates", "explanations", "pairs", "reshapes", "trackers"]) {
  const every = name === "pairs" || name === "reshapes" ? 10 : 1;
  for (const question of lines(name).filter((_, place) => place % every === 0)) {
    check(question);
    answers += 1;
  }
}

// Errors of every kind of question, and its members: the schema and the library agree.
const members = [...new Set(exchanges.flatMap((name) => Object.keys(schema.$defs.exchanges[name].properties.question.properties))), "zzz"];
for (const [kind, question] of good) {
  check({ ...question, steps: 0 });
  const known = Object.keys(schema.$defs.exchanges[kind].properties.question.properties);
  for (const member of members.filter((member) => !(member in question) && member !== "ask")) {
    const refused = answer({ ...question, [member]: 1 })?.error?.message ?? "";
    // A member may turn it into another question, which is refused for its value.
    if (known.includes(member)) assert.ok(!refused.includes(`unknown member "${member}"`), `${kind} takes ${member}: ${refused}`);
    else assert.notEqual(refused, "", `${kind} takes no ${member}`);
  }
  for (const needed of schema.$defs.exchanges[kind].properties.question.required) {
    const { [needed]: _, ...rest } = question;
    const found = answer(rest);
    assert.ok(ajv.validate("exchange#/$defs/error", found) || exchanges.some((name) => asked.get(name)(rest)), `${kind} without ${needed}`);
  }
}
for (const line of ["", "[]", "{", "{}", '{"chain":7}', '{"ask":"conjure"}', '{"chain":"(2,3) | permute(0,0)"}', '{"chain":"(2)","id":[]}']) {
  const found = JSON.parse(viewmerge.answer(line));
  assert.ok(ajv.validate("exchange#/$defs/error", found), `${line}: ${JSON.stringify(found)}`);
}
const repeated = JSON.parse(viewmerge.answer('{"ask":"dims","chain":"(2,3)","id":"a"}'));
assert.deepEqual(Object.keys(repeated), ["id", "answer"]);
assert.equal(JSON.parse(viewmerge.answer('{"chain":"(2,","id":7}')).id, 7);

console.log(`schema: ${exchanges.length} kinds of questions, ${answers} answers`);
