// @ts-check
/**
 * Which tests come past the place of a mutant: each place is marked, all tests run once without any mistake, and the marks tell. Only these
 * tests can notice it. Of what a module does while it loads nothing is known, because files share what they import: all may notice it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { createMutantWorker } from './mutant-worker.mjs';

/**
 * @typedef {import('./mutants.mjs').Mutant} Mutant
 * @typedef {{ id: string, ms: number, marks: number[] }} PassedTest
 * `tests` are those that passed without any mistake, by their file; `marked` the places that have a mark.
 * @typedef {{ tests: Map<string, PassedTest[]>, marked: Set<number>, durations: import('./mutant-worker-process.mjs').Answer['durations'] }} Reach
 * @typedef {{ start: number, end: number, open: string, close: string, marks: number[] }} Place
 */

/**
 * @param {import('./scratch.mjs').Scratch} scratch
 * @param {readonly Mutant[]} mutants
 * @param {string[]} files tests
 * @param {number} workers
 * @returns {Promise<Reach>}
 */
export async function readReach(scratch, mutants, files, workers) {
  const marked = new Set();
  const before = new Map([...new Set(mutants.map(({ file }) => file))].map((file) => [file, textOf(scratch, file)]));
  const worker = createMutantWorker(scratch.folder, { marks: true, workers });
  try {
    for (const [file, text] of before) {
      const own = mutants.flatMap((mutant, mark) => (mutant.file === file ? [{ ...mutant, mark }] : []));
      const places = placesOf(file, text, own);
      for (const { marks } of places) for (const mark of marks) marked.add(mark);
      writeFileSync(join(scratch.folder, file), withMarks(text, places));
    }
    const answer = await worker.ask({ changed: [], files: files.map((path) => ({ path })), bail: false });
    const lost = answer.failed.filter((name) => !name.includes(' › '));
    if (lost.length > 0) throw new Error(`red without any mistake:\n${lost.join('\n')}`);
    for (const name of answer.failed) console.log(`red without any mistake, so it counts for nothing: ${name}`);
    for (const mark of answer.loading) marked.delete(mark);
    return { tests: new Map(Object.entries(answer.passed)), marked, durations: answer.durations };
  } finally {
    worker.end();
    for (const [file, text] of before) writeFileSync(join(scratch.folder, file), text);
  }
}

/**
 * @param {string} file
 * @param {string} text
 * @param {readonly { start: number, end: number, mark: number }[]} wanted
 * @returns {Place[]} one for all that stand in the same statement
 */
export function placesOf(file, text, wanted) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const { start, end, mark } of wanted) {
    const place = placeOf(innermost(source, start, end), source);
    if (!place) continue;
    const key = `${place.start} ${place.end} ${place.open}`;
    const known = places.get(key) ?? { ...place, marks: [] };
    known.marks.push(mark);
    places.set(key, known);
  }
  return [...places.values()];
}

/**
 * @param {string} text
 * @param {readonly Place[]} places
 */
export function withMarks(text, places) {
  const calls = (/** @type {Place} */ { marks }) => `globalThis.markReached?.(${marks.join(', ')})`;
  const insertions = [
    ...places.map((place) => ({ at: place.start, text: place.open.replace('MARK', calls(place)), rank: -place.end })),
    ...places.map((place) => ({ at: place.end, text: place.close, rank: -place.start })),
  ].filter((insertion) => insertion.text !== '');
  // At one position what is inside opens last and closes first.
  insertions.sort((a, b) => a.at - b.at || a.rank - b.rank);
  let done = 0;
  let result = '';
  for (const { at, text: added } of insertions) {
    result += text.slice(done, at) + added;
    done = at;
  }
  return result + text.slice(done);
}

/**
 * @param {ts.Node | undefined} from
 * @param {ts.SourceFile} source
 * @returns {Omit<Place, 'marks'> | undefined} where whoever comes to this node comes past; none for what runs while a module loads
 */
function placeOf(from, source) {
  for (let node = from; node?.parent; node = node.parent) {
    const { parent } = node;
    if (ts.isSourceFile(parent) || ts.isClassLike(parent)) return undefined;
    if (ts.isParameter(node) && 'body' in parent && parent.body)
      return placeInside(/** @type {ts.Node} */ (parent.body), source);
    if (ts.isArrowFunction(parent) && parent.body === node && !ts.isBlock(node)) return placeInside(node, source);
    if (ts.isCaseOrDefaultClause(parent) && (!ts.isCaseClause(parent) || parent.expression !== node))
      return before(node, source);
    if (ts.isBlock(parent) && ts.isStatement(node)) return before(node, source);
    if (isBody(node, parent)) return { start: node.getStart(source), end: node.getEnd(), open: '{MARK; ', close: '}' };
  }
  return undefined;
}

/**
 * @param {ts.Node} body of a function
 * @param {ts.SourceFile} source
 * @returns {Omit<Place, 'marks'>}
 */
function placeInside(body, source) {
  const start = body.getStart(source);
  if (ts.isBlock(body)) return { start: start + 1, end: start + 1, open: 'MARK;', close: '' };
  return { start, end: body.getEnd(), open: '(MARK, ', close: ')' };
}

/**
 * @param {ts.Node} statement
 * @param {ts.SourceFile} source
 * @returns {Omit<Place, 'marks'>}
 */
function before(statement, source) {
  const start = statement.getStart(source);
  return { start, end: start, open: 'MARK;', close: '' };
}

/**
 * A statement without braces below another.
 * @param {ts.Node} node
 * @param {ts.Node} parent
 */
function isBody(node, parent) {
  if (!ts.isStatement(node) || ts.isBlock(node)) return false;
  return ts.isIfStatement(parent) || ts.isIterationStatement(parent, false);
}

/**
 * @param {ts.Node} node
 * @param {number} start
 * @param {number} end
 * @returns {ts.Node}
 */
function innermost(node, start, end) {
  return (
    ts.forEachChild(node, (child) =>
      child.pos <= start && child.end >= end ? innermost(child, start, end) : undefined,
    ) ?? node
  );
}

/**
 * @param {import('./scratch.mjs').Scratch} scratch
 * @param {string} file
 */
function textOf(scratch, file) {
  return readFileSync(join(scratch.folder, file), 'utf8');
}
