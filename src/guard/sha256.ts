/** SHA-256 (FIPS 180-4) of a text's UTF-16 units, as hexadecimal: pure, so that a browser and a server give a thing the same name. */

export function sha256(text: string): string {
  const state = INITIAL.slice();
  const words = new Uint32Array(64);
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
    mix(state, words);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function unitAt(text: string, at: number): number {
  if (at < text.length) return text.charCodeAt(at);
  return at === text.length ? 0x8000 : 0;
}

function mix(state: Uint32Array, words: Uint32Array): void {
  for (let index = 16; index < 64; index++) {
    const early = words[index - 15] ?? 0;
    const late = words[index - 2] ?? 0;
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (ROUND[index] ?? 0) + (words[index] ?? 0)) | 0;
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
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

const PRIMES = primes(64);
/** The first bits of the fractions of roots of the first primes. */
const INITIAL = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

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
