/** Runs a script of the fake agent in a terminal where somebody answers, and gives what the agent was told. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Step } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { openTerminal, type Screen, type Setting } from './fake-run.js';

export interface Told {
  /** Its questions' answers, in their order. */
  replies: unknown[];
  status: number;
  text: string;
}

export async function converse(
  script: readonly Step[],
  talk: (screen: Screen) => Promise<void>,
  { env, format = 'lines', ...setting }: Setting & { format?: 'live' | 'lines' } = {},
): Promise<Told> {
  const log = path.join(temporaryDirectory(), 'log');
  const screen = openTerminal(['run', 'claude', 'x', '--no-store', `--format=${format}`], script, {
    ...setting,
    env: { FAKE_AGENT_LOG: log, ...env },
  });
  await talk(screen);
  const status = await screen.ended;
  const lines = readFileSync(log, 'utf8').split('\n');
  const replies = lines.filter((line) => line.includes('control_response')).map((line) => JSON.parse(line));
  return { replies: replies.map(({ response }) => response.response), status, text: screen.text() };
}
