// A headless browser, driven over a pipe in its own protocol, without a driver.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Browser {
  #child;
  #folder;
  #next = 1;
  #waiting = new Map();
  #listeners = [];

  static async start() {
    const browser = new Browser();
    browser.#folder = await mkdtemp(join(tmpdir(), "viewmerge-web-"));
    const flags = [
      "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
      "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--hide-scrollbars", "--force-color-profile=srgb", `--user-data-dir=${browser.#folder}`,
    ];
    // Its sandbox is not available to root, as in most containers.
    if (process.getuid() === 0) flags.push("--no-sandbox");
    browser.#child = spawn("chromium", [...flags, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    let rest = "";
    browser.#child.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      for (const message of messages) browser.#receive(JSON.parse(message));
    });
    browser.#child.on("exit", () => browser.#receive(null));
    process.on("exit", () => browser.#child.kill());
    return browser;
  }

  #receive(message) {
    if (message === null) {
      for (const { reject } of this.#waiting.values()) reject(new Error("the browser has ended"));
      this.#waiting.clear();
    } else if (message.id) {
      const { resolve, reject } = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    } else {
      for (const listener of this.#listeners) listener(message);
    }
  }

  on(listener) {
    this.#listeners.push(listener);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.#child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  async stop() {
    const ended = new Promise((resolve) => this.#child.on("exit", resolve));
    this.send("Browser.close").catch(() => {});
    await ended;
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A page of the browser: what it says on its console and where it reaches out to is kept. */
export class Page {
  errors = [];
  requests = [];
  #browser;
  #session;

  static async open(browser, url, { width = 1400, height = 1000, dark = false, ready } = {}) {
    const page = new Page();
    page.#browser = browser;
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    page.#session = (await browser.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    browser.on((message) => {
      if (message.sessionId !== page.#session) return;
      const { method, params } = message;
      if (method === "Runtime.exceptionThrown") page.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === "Runtime.consoleAPICalled" && params.type !== "log") page.errors.push(JSON.stringify(params.args));
      if (method === "Log.entryAdded" && params.entry.level !== "verbose") page.errors.push(params.entry.text);
      if (method === "Network.requestWillBeSent") page.requests.push(params.request.url);
    });
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.send(`${domain}.enable`);
    await page.size(width, height);
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    await page.go(url, ready);
    return page;
  }

  send(method, params) {
    return this.#browser.send(method, params, this.#session);
  }

  size(width, height) {
    return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  }

  async go(url, ready = "document.body?.dataset.ready === 'true'") {
    await this.send("Page.navigate", { url });
    await this.until(ready);
  }

  /** The value of an expression in the page. */
  async eval(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true, userGesture: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  async until(expression, seconds = 20) {
    const end = Date.now() + seconds * 1000;
    while (!(await this.eval(`Boolean(${expression})`).catch(() => false))) {
      if (Date.now() > end) throw new Error(`never true: ${expression}; ${this.errors.join("; ")}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** The middle of an element on the screen, scrolled to if need be. */
  async place(selector) {
    const found = await this.eval(`(async () => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element?.scrollIntoView({ block: "center", inline: "center" });
      // Content that scrolls into view is laid out now, and moves what is below it.
      await new Promise((resolve) => setTimeout(resolve, 50));
      element?.scrollIntoView({ block: "center", inline: "center" });
      const box = element?.getBoundingClientRect();
      return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    if (!found) throw new Error(`there is no ${selector}`);
    return found;
  }

  async hover(selector) {
    await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...(await this.place(selector)) });
  }

  async click(selector) {
    const at = await this.place(selector);
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) {
      await this.send("Input.dispatchMouseEvent", { type, ...at, button: type === "mouseMoved" ? "none" : "left", clickCount: 1 });
    }
  }

  async press(key, modifiers = 0) {
    const code = { z: "KeyZ", y: "KeyY", "/": "Slash", Tab: "Tab" }[key] ?? (/^\d$/.test(key) ? `Digit${key}` : key);
    const virtual = { ArrowRight: 39, ArrowLeft: 37, ArrowUp: 38, ArrowDown: 40, Enter: 13, Tab: 9, Escape: 27, z: 90, y: 89, "/": 191 }[key] ?? key.charCodeAt(0);
    for (const type of ["rawKeyDown", "keyUp"]) {
      await this.send("Input.dispatchKeyEvent", { type, key, code, modifiers, windowsVirtualKeyCode: virtual });
    }
  }

  type(text) {
    return this.send("Input.insertText", { text });
  }

  async screenshot(whole = false) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: whole });
    return Buffer.from(data, "base64");
  }
}
