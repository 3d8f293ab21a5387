// @ts-check
/** Which mistakes are tried: as many in each area, drawn by a seed from all that the compiler lets pass. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCompiler } from './compiles.mjs';
import { mutantsOf } from './mutants.mjs';
import { root } from './process.mjs';
import { shuffled } from './random.mjs';

/**
 * @typedef {import('./mutant-areas.mjs').Area} Area
 * With the lines as they were and as they are, for people and for the list of equivalents.
 * @typedef {import('./mutants.mjs').Mutant & { area: string, from: string, lineBefore: string, lineAfter: string }} Drawn
 */

/**
 * @param {Record<string, Area>} areas
 * @param {number} count
 * @param {string} seed
 * @returns {Drawn[]}
 */
export function drawMutants(areas, count, seed) {
  const files = readdirSync(new URL('src', root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => posix.join('src', entry.parentPath.slice(fileURLToPath(new URL('src', root)).length), entry.name))
    .sort();
  const share = Math.ceil(count / Object.keys(areas).length);
  const lots = Object.entries(areas).map(([area, { files: pattern }]) => {
    const all = files
      .filter((file) => pattern.test(file))
      .flatMap((file) => {
        const text = readFileSync(new URL(file, root), 'utf8');
        return mutantsOf(file, text).map((mutant) => ({ area, text, ...mutant, ...excerpt(text, mutant) }));
      });
    if (all.length === 0) throw new Error(`${area}: nothing there could be mistaken; has its source moved?`);
    return shuffled(all, `${seed} ${area}`);
  });
  return soundOf(lots, share).map(({ text: _, ...mutant }) => mutant);
}

/**
 * The first ones of each lot that the compiler lets pass.
 * @template {import('./mutants.mjs').Mutant & { text: string }} Candidate
 * @param {Candidate[][]} lots
 * @param {number} share
 * @returns {Candidate[]}
 */
function soundOf(lots, share) {
  const compiles = createCompiler();
  const refused = new Set();
  const sound = new Set();
  for (;;) {
    const drawn = lots.flatMap((lot) => lot.filter((mutant) => !refused.has(mutant)).slice(0, share));
    // One in each file at a time, so that none is refused for another.
    const asked = new Map(drawn.filter((mutant) => !sound.has(mutant)).map((mutant) => [mutant.file, mutant]));
    if (asked.size === 0) return drawn;
    const changes = [...asked].map(
      ([file, { text, start, end, to }]) => /** @type {const} */ ([file, text.slice(0, start) + to + text.slice(end)]),
    );
    const passed = compiles(new Map(changes));
    for (const [file, mutant] of asked) (passed.has(file) ? sound : refused).add(mutant);
  }
}

/**
 * The lines as they were and as they are, for people and for the list of equivalents.
 * @param {string} text
 * @param {import('./mutants.mjs').Mutant} mutant
 */
function excerpt(text, { start, end, to }) {
  const before = text.lastIndexOf('\n', start - 1) + 1;
  const after = text.indexOf('\n', end);
  const rest = text.slice(end, after < 0 ? undefined : after);
  const head = text.slice(before, start);
  return {
    from: text.slice(start, end),
    lineBefore: `${head}${text.slice(start, end)}${rest}`.trim(),
    lineAfter: `${head}${to}${rest}`.trim(),
  };
}
