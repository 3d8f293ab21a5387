/** `glassbox init` is offered once, to who has not configured anything yet. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { stateDirectory, userFile } from '../../../run/index.js';
import { findAskingTerminal } from '../../ask/asking-terminal.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';

type Surroundings = Parameters<typeof userFile>[0];

const markOf = ({ env, home, platform }: Surroundings): string =>
  path.join(stateDirectory(env, home, platform), 'init-offered');

/** Where it cannot be remembered it is offered again. */
export async function rememberOffer(surroundings: Surroundings): Promise<void> {
  const mark = markOf(surroundings);
  await mkdir(path.dirname(mark), { recursive: true }).catch(() => {});
  await writeFile(mark, '').catch(() => {});
}

/** True when everything was set up: what failed for want of it may be tried again. */
export async function offerSetUp(context: Context): Promise<boolean> {
  const { process } = context;
  const { env, platform, cwd } = process;
  const surroundings = { cwd: cwd(), env, platform, home: homedir() };
  if (existsSync(markOf(surroundings)) || existsSync(userFile(surroundings))) return false;
  using terminal = findAskingTerminal(process);
  if (!terminal) return false;
  await rememberOffer(surroundings);
  if ((await confirm('No agent is set up yet. Do that now (glassbox init)?', { usual: 'yes' }, process)) !== 'yes')
    return false;
  const { setUp } = await import('./set-up.js');
  await setUp.call(context, {});
  return process.exitCode === undefined || process.exitCode === 0;
}
