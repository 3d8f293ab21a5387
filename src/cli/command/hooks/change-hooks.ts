/** `glassbox hooks install|status|remove`: shows what would change in the agent's settings, asks, and writes it. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { Agent } from '../../../agent/index.js';
import { AGENTS } from '../../../agent/index.js';
import { differenceOf } from '../../../consent/difference.js';
import { redactText, requireAgent } from '../../../decode/index.js';
import { GlassboxError } from '../../../event/index.js';
import { type Change, hooksOf, isSkipped, planInstall, planRemove } from '../../../hook/installation.js';
import { hookFolder, type Surroundings, settingsPath, socketPath } from '../../../hook/place.js';
import { findSender, SENDERS, type Sender } from '../../../hook/sender.js';
import { stateDirectory } from '../../../run/index.js';
import { safe } from '../../../view/text/safe.js';
import { findAskingTerminal } from '../../ask/asking-terminal.js';
import { createKeyboard } from '../../ask/keyboard.js';
import type { Context } from '../../context.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import type { HooksFlags, Verb } from './command.js';
import { hookStatus, skippedLine } from './hook-status.js';

export async function changeHooks(this: Context, flags: HooksFlags, verb: Verb, name?: string): Promise<void> {
  const { env, platform, stdout } = this.process;
  const home = homedir();
  const surroundings = { env, home, stateFolder: stateDirectory(env, home, platform) };
  const agents = name === undefined ? agentsUsed(surroundings) : [requireAgent(name)];
  for (const agent of agents) hooksOf(agent);
  if (platform === 'win32') {
    throw new GlassboxError(
      'unsupported-capability',
      'Hooks need a socket of the system, which Windows does not offer to shells.',
    );
  }
  if (verb !== 'status') await refuseInsideRun(`${verb} hooks`);
  const troubles: GlassboxError[] = [];
  for (const agent of agents) {
    try {
      if (verb === 'status') await print(stdout, await hookStatus(agent, surroundings));
      else await change(this, await (verb === 'install' ? install : remove)(agent, surroundings, flags), flags);
    } catch (error) {
      // The settings of one agent keep nobody from those of the others.
      if (!(error instanceof GlassboxError) || error.code === 'invalid-request') throw error;
      troubles.push(error);
    }
  }
  const last = troubles.pop();
  for (const { message } of troubles) note(this.process.stderr, message);
  if (last) throw last;
}

async function change(context: Context, { change: one, done }: Planned, flags: HooksFlags): Promise<void> {
  const { stdout } = context.process;
  if (one.isNothing) await print(stdout, [`${safe(one.file.path)}: nothing to do.`]);
  else if (await isWanted(context, one, flags)) {
    await one.make();
    await print(stdout, done.map(safe));
  }
}

/** Those with hooks whose settings can be here. */
function agentsUsed(surroundings: Surroundings): Agent[] {
  const able = AGENTS.filter(({ hooks }) => hooks);
  const used = able.filter((agent) => existsSync(dirname(settingsPath(hooksOf(agent), surroundings))));
  if (used.length > 0) return used;
  const titles = able.map(({ title }) => title).join(', ');
  throw new GlassboxError(
    'not-found',
    `No agent was used here whose hooks glassbox knows (${titles}). Start it once, then try again.`,
  );
}

interface Planned {
  change: Change;
  /** What is said when it is done. */
  done: string[];
}

async function install(agent: Agent, surroundings: Surroundings, { deny }: HooksFlags): Promise<Planned> {
  const sender = await requireSender(surroundings);
  const change = await planInstall(agent, surroundings, { sender, check: deny === true });
  const { canAnswer, reachesRunning } = hooksOf(agent);
  const which = reachesRunning ? 'also of those that run' : 'of those that are started from now on';
  const next = canAnswer ? 'Answer them in the page' : 'See them in the page, and answer in its terminal';
  if (isSkipped(hooksOf(agent), change.after ?? '')) return { change, done: [skippedLine(agent)] };
  return {
    change,
    done: [`${agent.title} tells glassbox of its sessions now, by ${sender.name}, ${which}. ${next}: glassbox serve`],
  };
}

async function remove(agent: Agent, surroundings: Surroundings): Promise<Planned> {
  return { change: await planRemove(agent, surroundings), done: [`${agent.title} tells glassbox nothing any more.`] };
}

async function requireSender(surroundings: Surroundings): Promise<Sender> {
  const folder = hookFolder(surroundings);
  socketPath(surroundings);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sender = await findSender(folder);
  if (sender) return sender;
  const names = SENDERS.map(({ name }) => name).join(', ');
  throw new GlassboxError(
    'not-installed',
    `No program is here that brings text to a socket (${names}). Install one of them.`,
  );
}

/** Shown first; then somebody at the terminal says yes, or said so before. */
async function isWanted({ process }: Context, { file, after }: Change, { dryRun, yes }: HooksFlags): Promise<boolean> {
  const { stdout } = process;
  const { hunks, created, deleted } = differenceOf(file.path, { before: file.text, after });
  const changed = hunks.flatMap(({ lines }) => lines.filter((line) => !line.startsWith(' ')));
  const how = created ? ' (new)' : deleted ? ' (removed)' : '';
  await print(stdout, [`${safe(file.path)}${how}`, ...changed.map((line) => safe(redactText(line)))]);
  if (dryRun) return false;
  if (yes) return true;
  using terminal = findAskingTerminal(process);
  if (!terminal) throw new GlassboxError('invalid-request', 'Nobody can be asked here. Say yes with --yes.');
  const stop = new AbortController();
  const keyboard = createKeyboard(terminal, () => stop.abort());
  const answer = await keyboard.line('Write this? [y/N] ', stop.signal);
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
