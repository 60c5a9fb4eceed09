// Opens pages of a built site in the browser: node site.mjs FOLDER. They must show the right content, without an
// error on the console and without requests to other hosts; the search of the book must find something.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser, Page } from "./chromium.mjs";

const folder = resolve(process.argv[2]);
const shown = (words) => `document.readyState === "complete" && document.body?.innerText.includes(${JSON.stringify(words)})`;
const expected = [
  ["index.html", shown("Try it here")],
  ["book/index.html", shown("Where do you want to start?")],
  ["book/study/views.html", shown("Linear position")],
  ["book/cookbook.html", shown("Is my im2col a view?")],
  ["book/performance.html", shown("How long one decision takes")],
  ["book/index.html?search=needle", `document.querySelectorAll("#mdbook-searchresults li, #searchresults li").length > 0`],
  ["api/index.html", shown("viewmerge-symbolic")],
  ["api/viewmerge/index.html", shown("Crate viewmerge")],
  ["explorer.html", undefined],
];

const browser = await Browser.start();
let failed = 0;
for (const [path, ready] of expected) {
  for (const dark of [false, true]) {
    const [file, query] = path.split("?");
    const url = pathToFileURL(`${folder}/${file}`).href + (query ? `?${query}` : "");
    try {
      const page = await Page.open(browser, url, { ready, dark });
      const outside = page.requests.filter((request) => !/^(data|file|blob):/.test(request));
      const missing = await page.eval(`[...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src)`);
      if (page.errors.length || outside.length || missing.length) {
        failed++;
        console.log(`not ok ${path}: ${[...page.errors, ...outside, ...missing].join("; ")}`);
      }
    } catch (error) {
      failed++;
      console.log(`not ok ${path}: ${error.message}`);
    }
  }
}
await browser.stop();
console.log(`${expected.length} pages opened, light and dark, ${failed} not as they should be; no request to anywhere`);
process.exit(failed ? 1 : 0);
