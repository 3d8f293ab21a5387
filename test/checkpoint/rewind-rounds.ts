/**
 * Random edits and rewinds in one folder, and whether everything is what it was. A program too: `node … KIND ROUNDS SEED` plays them in a small
 * process, from which starting git costs half of what it costs from a runner of tests.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TurnFiles } from '../../src/checkpoint/index.js';
import { planRewind, rewind, undoRewind } from '../../src/checkpoint/index.js';
import { anchor, take } from '../../src/checkpoint/take.js';
import { findWorkTree } from '../../src/checkpoint/work-tree.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { createRandom, edit } from './random-edits.js';
import { filesOf, git, makeRepository, ownOf, write } from './repository.js';

export const makers: Readonly<Record<string, () => string>> = {
  'a repository that is dirty and staged': () => {
    const root = makeRepository({ a: 'a', 'b/c/d': 'd\n', 'up.txt': 'crlf\r\n', '.gitignore': 'ignored/\n' });
    git(root, 'config', 'core.autocrlf', 'true');
    write(root, { staged: 's', 'b/c/d': 'dirty' });
    git(root, 'add', 'staged');
    return root;
  },
  'a folder without git': () => {
    const root = temporaryDirectory();
    write(root, { a: 'a', '.gitignore': 'ignored/\n' });
    return root;
  },
};

export interface Played {
  rewinds: number;
  /** Of these taken back. */
  undone: number;
}

/** Throws at the first difference. */
export async function playRewinds(maker: string, rounds: number, seed: number): Promise<Played> {
  const random = createRandom(seed);
  const root = makers[maker]?.() ?? '';
  mkdirSync(path.join(root, 'ignored'));
  const dir = temporaryDirectory();
  const workTree = await findWorkTree(root, dir);
  const isRepository = workTree.kind === 'git';
  const look = () => {
    const { 'ignored/file': _, ...files } = filesOf(root);
    return {
      files,
      ...(isRepository && { status: git(root, '--no-optional-locks', 'status', '--porcelain=v2', '-uall') }),
    };
  };
  const own = isRepository ? ownOf(root) : {};
  const turns: TurnFiles[] = [];
  const seen = new Map<string, ReturnType<typeof look>>();
  const keep = async () => {
    const { commit, tree } = await take(workTree);
    await anchor(workTree, `refs/glassbox/random/${seen.size}`, commit);
    seen.set(commit, look());
    return { commit, tree, at: Date.now() };
  };
  let undone = 0;

  for (let round = 1; round <= rounds; round += 1) {
    const before = { turn: round, moment: 'before' as const, ...(await keep()) };
    for (let edits = random(6); edits >= 0; edits -= 1) edit(root, random);
    const after = { turn: round, moment: 'after' as const, ...(await keep()) };
    turns.push({ turn: round, runId: 'r', top: workTree.top, before, after });
    // Somebody else, between two turns.
    if (random(3) === 0) edit(root, random);
    const was = look();
    const turn = turns.length - random(Math.min(turns.length, 20) + 1);
    const plan = await planRewind(turns, { turn }, dir);
    const { left } = await rewind(plan, { session: 's', to: `turn ${turn}` }, {}, dir);
    const aim = turn === 0 ? turns[0]?.before?.commit : turns[turn - 1]?.after?.commit;
    same({ left, ...look() }, { left: [], ...seen.get(aim ?? '') }, `round ${round}, seed ${seed}`);
    if (random(2) === 0 && plan.files.length > 0) {
      const { left: leftBehind } = (await undoRewind('s', dir)) ?? {};
      same({ left: leftBehind, ...look() }, { left: [], ...was }, `undone in round ${round}, seed ${seed}`);
      undone += 1;
    }
  }
  if (isRepository) same({ ...ownOf(root), status: '' }, { ...own, status: '' }, `own, seed ${seed}`);
  return { rewinds: rounds, undone };
}

function same(is: unknown, wanted: unknown, where: string): void {
  try {
    deepStrictEqual(is, wanted);
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : error}`);
  }
}

const [, , maker, rounds, seed] = process.argv;
if (maker !== undefined && maker in makers)
  console.log(JSON.stringify(await playRewinds(maker, Number(rounds), Number(seed))));
