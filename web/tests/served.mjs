// `viewmerge explore` serves the page and nothing else: served.mjs ADDRESS PAGE.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [address, file] = process.argv.slice(2);
const page = await fetch(address);
assert.equal(page.status, 200);
assert.equal(await page.text(), readFileSync(file, "utf8"));
assert.equal((await fetch(new URL("etc/passwd", address))).status, 404);
assert.equal((await fetch(address, { method: "POST", body: "x" })).status, 405);
console.log("the command serves the page and nothing else");
