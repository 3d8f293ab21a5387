/** SHA-256 (FIPS 180-4) of a text's UTF-16 units, as hexadecimal: pure, so that a browser and a server give a thing the same name. */

type State = readonly [number, number, number, number, number, number, number, number];

export function sha256(text: string): string {
  let state = INITIAL;
  const words = new Uint32Array(ROUND.length);
  const bits = text.length * 16;
  // One bit and the length follow the text, and the whole fills blocks of 32 units.
  const blocks = Math.ceil((text.length + 5) / 32);
  for (let block = 0; block < blocks; block++) {
    for (let word = 0; word < 16; word++) {
      const at = block * 32 + word * 2;
      words[word] = (unitAt(text, at) << 16) | unitAt(text, at + 1);
    }
    if (block === blocks - 1) {
      words[14] = Math.floor(bits / 2 ** 32);
      words[15] = bits >>> 0;
    }
    state = mix(state, words);
  }
  return Array.from(Uint32Array.from(state), (word) => word.toString(16).padStart(8, '0')).join('');
}

function unitAt(text: string, at: number): number {
  if (at < text.length) return text.charCodeAt(at);
  return at === text.length ? 0x8000 : 0;
}

function mix(state: State, words: Uint32Array): State {
  for (let index = 16; index < 64; index++) {
    const early = at(words, index - 15);
    const late = at(words, index - 2);
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[index] = at(words, index - 16) + first + at(words, index - 7) + second;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (const [index, round] of ROUND.entries()) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + round + at(words, index)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  const [i, j, k, l, m, n, o, p] = state;
  // biome-ignore format: to be read at one glance
  return [(a + i) | 0, (b + j) | 0, (c + k) | 0, (d + l) | 0, (e + m) | 0, (f + n) | 0, (g + o) | 0, (h + p) | 0];
}

/** There are as many words as are asked for. */
function at(words: Uint32Array, index: number): number {
  return words[index] ?? Number.NaN;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first bits of the fractions of square roots of the first primes, and of cube roots. */
const INITIAL: State = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ROUND = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}
