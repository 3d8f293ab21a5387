/** A session whose files are kept, and its changes on the page. */
import { readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { git, write } from '../checkpoint/repository.js';
import { init, result, type Step, text } from '../fake-agent/lines.js';
import { PATIENCE_MS } from '../support/patience.js';
import type { Look } from './axe.js';
import type { OpenPage } from './one-server.js';
import type { ServedPage } from './serve-page.js';

const SOURCE = Array.from({ length: 60 }, (_, index) => `const value${index} = ${index}; // a word`);
export const edited = (...changed: number[]) =>
  SOURCE.map((line, index) => (changed.includes(index + 1) ? line.replace('a word', 'another word') : line)).join('\n');

/** Each of these is a turn, which begins when what was there before it is kept. */
async function played({ client, project }: ServedPage, turns: readonly Step[][]): Promise<string> {
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '--allow-empty', '-m', 'first');
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'Say the words' });
  let turn = 0;
  const goOn = async () => {
    await vi.waitFor(async () => expect((await client.turns(session))[turn]?.isKeptBefore).toBe(true), PATIENCE_MS);
    turn += 1;
    await client.say(session, { text: `go on ${turn}` });
  };
  for await (const event of client.events(runId)) {
    if (event.type === 'text-end' && event.text.startsWith('ready')) await goOn();
    if (event.type === 'turn-end' && turn === turns.length) await client.cancel(runId);
  }
  return session;
}

const script = (turns: readonly Step[][]): Step[] => [
  init(),
  ...turns.flatMap((steps, index) => [
    text(`ready ${index + 1}`, `m${index}`),
    { hear: `go on ${index + 1}` },
    ...steps,
    result('done'),
  ]),
  { hearEnd: true },
];

export async function openReview(
  open: OpenPage,
  does: readonly Step[][] | ((project: string) => Step[][]),
  files: Record<string, string> = {},
  look?: Look,
) {
  const opened = await open([]);
  const turns = typeof does === 'function' ? does(realpathSync(opened.served.project)) : does;
  const { page } = opened;
  const served = opened.play(script(turns));
  if (look) await page.setViewportSize(look.options.viewport);
  // All tests of a file have one folder.
  for (const name of readdirSync(served.project)) rmSync(path.join(served.project, name), { recursive: true });
  write(served.project, files);
  const session = await played(served, turns);
  await page.goto(`${served.server.url}/s/${session}/changes`);
  return { ...opened, served, session, root: served.project };
}
