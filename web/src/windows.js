// Which part of a view is drawn. The last axis runs to the right, the one before it down, and
// every index of the others is a panel; of an axis that is too long, a window is shown, which
// can be moved.

/** The most cells of a view that are drawn. */
export const MOST_CELLS = 512;
const MOST_COLUMNS = 16;
const MOST_ROWS = 16;
const MOST_PANELS = 24;
const MOST_IN_LINE = 256;

/** The interval of every axis that is drawn, as near to the given starts as fits. */
export function windowOf(shape, starts = []) {
  const sizes = shape.map(Number);
  const rank = sizes.length;
  const most = sizes.map(() => 1);
  if (rank === 1) most[0] = MOST_IN_LINE;
  if (rank >= 2) {
    most[rank - 1] = MOST_COLUMNS;
    most[rank - 2] = MOST_ROWS;
    const drawn = Math.max(1, Math.min(sizes[rank - 1], MOST_COLUMNS) * Math.min(sizes[rank - 2], MOST_ROWS));
    let panels = Math.max(1, Math.min(MOST_PANELS, Math.floor(MOST_CELLS / drawn)));
    for (let axis = rank - 3; axis >= 0; axis--) {
      most[axis] = Math.max(1, Math.min(sizes[axis], panels));
      panels = Math.max(1, Math.floor(panels / most[axis]));
    }
  }
  return sizes.map((size, axis) => {
    const length = Math.min(size, most[axis]);
    const wanted = Number(starts[axis] ?? 0) || 0;
    const lo = Math.max(0, Math.min(Math.floor(wanted), size - length));
    return [lo, lo + length];
  });
}

/** Starts as text, "1:0.32;0:5" for view 1 from (0,32) and view 0 from (5), and back. */
export function readStarts(text) {
  const starts = new Map();
  for (const part of text.split(";").filter(Boolean)) {
    const [view, list] = part.split(":");
    starts.set(Number(view), (list ?? "").split(".").map(Number));
  }
  return starts;
}

export function writeStarts(starts) {
  const parts = [...starts].filter(([, list]) => list.some((start) => start !== 0));
  return parts.map(([view, list]) => `${view}:${list.join(".")}`).join(";");
}

/** The axes of a window that are cut. */
export function cutAxes(shape, window) {
  return window.flatMap(([lo, hi], axis) => (hi - lo < Number(shape[axis]) ? [axis] : []));
}
