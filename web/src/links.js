// Which elements belong together: an element of a view, the one of the view below that it reads,
// and so on down to memory; and upward, all that read it. A broadcast element is read by many.

export class Links {
  #below = []; // for every view: linear index -> the position it reads
  #above = []; // for every view: position -> the linear indices that read it

  constructor(cellsOfViews) {
    for (const cells of cellsOfViews) {
      const below = new Map();
      const above = new Map();
      for (const cell of cells) {
        below.set(String(cell.index), cell.position === null ? null : String(cell.position));
        if (cell.position === null) continue;
        const key = String(cell.position);
        if (!above.has(key)) above.set(key, []);
        above.get(key).push(String(cell.index));
      }
      this.#below.push(below);
      this.#above.push(above);
    }
  }

  /**
   * All that belongs to an element of a view, memory being view -1: a set of indices for every
   * view, and one for memory under -1.
   */
  of(view, index) {
    const found = new Map([[view, new Set([String(index)])]]);
    let here = String(index);
    for (let level = view; level >= 0 && here !== null; level--) {
      here = this.#below[level]?.get(here) ?? null;
      if (here !== null) found.set(level - 1, new Set([here]));
    }
    let front = found.get(view);
    for (let level = view + 1; level < this.#above.length; level++) {
      const next = new Set();
      for (const one of front) for (const reader of this.#above[level].get(one) ?? []) next.add(reader);
      found.set(level, next);
      front = next;
    }
    return found;
  }
}
