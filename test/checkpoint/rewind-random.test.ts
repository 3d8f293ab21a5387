/** Random edits and rewinds: contents and `git status` are what they were, and a rewind that is taken back leaves nothing of itself. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TurnFiles } from '../../src/checkpoint/index.js';
import { planRewind, rewind, undoRewind } from '../../src/checkpoint/index.js';
import { anchor, take } from '../../src/checkpoint/take.js';
import { findWorkTree } from '../../src/checkpoint/work-tree.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { createRandom, edit } from './random-edits.js';
import { filesOf, git, makeRepository, ownOf, write } from './repository.js';

/** `GLASSBOX_REWINDS=1000 npx vitest run test/checkpoint/rewind-random.test.ts` tries as many as are wanted. */
const REWINDS = Number(process.env.GLASSBOX_REWINDS ?? 6);
const ROUNDS = Math.min(REWINDS, 25);
const SEEDS = [...Array(Math.ceil(REWINDS / ROUNDS)).keys()].map(
  (nth) => Number(process.env.GLASSBOX_TEST_SEED ?? 1) + 1000 * nth,
);

const makers: Record<string, () => string> = {
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

const cases = Object.keys(makers).flatMap((maker) => SEEDS.map((seed) => ({ maker, seed })));

test.each(cases)('$maker', async ({ maker, seed }) => {
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

  for (let round = 1; round <= ROUNDS; round += 1) {
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
    expect({ left, ...look() }, `round ${round}, seed ${seed}`).toEqual({ left: [], ...seen.get(aim ?? '') });
    if (random(2) === 0 && plan.files.length > 0) {
      expect((await undoRewind('s', dir))?.left).toEqual([]);
      expect(look(), `undone in round ${round}, seed ${seed}`).toEqual(was);
    }
  }
  if (isRepository) expect({ ...ownOf(root), status: '' }).toEqual({ ...own, status: '' });
});
