// LZMA, as far as a page needs it: it packs the library a quarter smaller than the formats that
// browsers unpack.
//
// A range coder decodes bits by their probabilities: it keeps an interval of 32 bits, divides
// it in proportion at every bit, and reads a byte when the interval gets short. The bits encode
// a literal byte, or a distance back and a length to copy. Literals depend on the high bits of
// the byte before them, nothing on the place in the text: `bundle` packs with lc=4, lp=0, pb=0.

const HALF = 1024;

/** Where the probabilities of each kind of bit start, one behind the other. */
const IS_MATCH = 0, IS_REP = 12, IS_REP_0 = 24, IS_REP_1 = 36, IS_REP_2 = 48, IS_LONG = 60;
const SLOTS = 72, SPECIAL = SLOTS + 4 * 64, ALIGN = SPECIAL + 128, LENGTH = ALIGN + 16, LENGTHS = 2 + 8 + 8 + 256;
const REP_LENGTH = LENGTH + LENGTHS, LITERAL = REP_LENGTH + LENGTHS, ALL = LITERAL + 16 * 0x300;

/** The `size` bytes that some packed ones stand for. */
export function unpack(packed, size) {
  const out = new Uint8Array(size);
  const likely = new Uint16Array(ALL).fill(HALF);
  // The interval's length and the code's place in it. In an array, because a variable shared by
  // two functions would be a new object for every number beyond 31 bits.
  const coder = new Uint32Array([0xffffffff, (packed[1] << 24) | (packed[2] << 16) | (packed[3] << 8) | packed[4]]);
  let next = 5;

  function bit(which) {
    const chance = likely[which];
    const range = coder[0];
    const code = coder[1];
    const bound = Math.imul(range >>> 11, chance) >>> 0;
    let left;
    let told;
    if (code < bound) {
      left = bound;
      likely[which] = chance + ((2048 - chance) >> 5);
      told = 0;
    } else {
      left = range - bound;
      coder[1] = code - bound;
      likely[which] = chance - (chance >> 5);
      told = 1;
    }
    if (left < 0x1000000) {
      left <<= 8;
      coder[1] = (coder[1] << 8) | packed[next++];
    }
    coder[0] = left;
    return told;
  }

  /** A number of so many bits, the highest first, each expected by those before it. */
  function tree(from, bits) {
    let at = 1;
    for (let k = 0; k < bits; k += 1) at = 2 * at + bit(from + at);
    return at - (1 << bits);
  }

  /** The same, the lowest bit first. */
  function backwards(from, bits) {
    let at = 1;
    let number = 0;
    for (let k = 0; k < bits; k += 1) {
      const told = bit(from + at);
      at = 2 * at + told;
      number |= told << k;
    }
    return number;
  }

  /** Bits that nothing is known of. */
  function plain(bits) {
    let number = 0;
    for (let k = 0; k < bits; k += 1) {
      coder[0] >>>= 1;
      const told = coder[1] >= coder[0] ? 1 : 0;
      if (told) coder[1] -= coder[0];
      if (coder[0] < 0x1000000) {
        coder[0] <<= 8;
        coder[1] = (coder[1] << 8) | packed[next++];
      }
      number = 2 * number + told;
    }
    return number;
  }

  function length(from) {
    if (!bit(from)) return tree(from + 2, 3);
    if (!bit(from + 1)) return 8 + tree(from + 10, 3);
    return 16 + tree(from + 18, 8);
  }

  function distance(long) {
    const slot = tree(SLOTS + 64 * Math.min(long, 3), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + backwards(SPECIAL + base - slot, bits);
    return base + plain(bits - 4) * 16 + backwards(ALIGN, 4);
  }

  // The last action: 0 to 6 after a literal, 7 to 11 after a copy.
  let state = 0;
  let [back0, back1, back2, back3] = [0, 0, 0, 0];
  for (let at = 0; at < size; ) {
    if (!bit(IS_MATCH + state)) {
      const from = LITERAL + 0x300 * (at > 0 ? out[at - 1] >> 4 : 0);
      let symbol = 1;
      if (state >= 7) {
        // After a copy, the byte differs from the one that would have continued it.
        let other = out[at - back0 - 1];
        while (symbol < 0x100) {
          const expected = (other >> 7) & 1;
          other <<= 1;
          const told = bit(from + ((1 + expected) << 8) + symbol);
          symbol = 2 * symbol + told;
          if (told !== expected) break;
        }
      }
      while (symbol < 0x100) symbol = 2 * symbol + bit(from + symbol);
      out[at++] = symbol;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let long;
    if (!bit(IS_REP + state)) {
      [back3, back2, back1] = [back2, back1, back0];
      long = length(LENGTH);
      back0 = distance(long);
      state = state < 7 ? 7 : 10;
    } else {
      if (!bit(IS_REP_0 + state)) {
        if (!bit(IS_LONG + state)) {
          state = state < 7 ? 9 : 11;
          out[at] = out[at - back0 - 1];
          at += 1;
          continue;
        }
      } else if (!bit(IS_REP_1 + state)) {
        [back1, back0] = [back0, back1];
      } else if (!bit(IS_REP_2 + state)) {
        [back2, back1, back0] = [back1, back0, back2];
      } else {
        [back3, back2, back1, back0] = [back2, back1, back0, back3];
      }
      long = length(REP_LENGTH);
      state = state < 7 ? 8 : 11;
    }
    if (back0 >= at) throw new Error("the packed library is damaged");
    for (const end = Math.min(size, at + long + 2); at < end; at += 1) out[at] = out[at - back0 - 1];
  }
  return out;
}
