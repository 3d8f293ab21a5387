/** `glassbox init`: asks one thing after the other, and does what was said yes to. */
import { homedir } from 'node:os';
import { AGENTS } from '../../../agent/index.js';
import { GlassboxError } from '../../../event/index.js';
import { userFile } from '../../../run/index.js';
import { safe } from '../../../view/text/safe.js';
import { choose, confirm, requireTerminal } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { findHistory, historyAgents } from '../../kept/history.js';
import { byWords } from '../../print/by-words.js';
import { counted } from '../../print/counted.js';
import { projectName } from '../../print/session-cell.js';
import { print } from '../../print/sink.js';
import { configurationFor } from '../../run-request.js';
import { type Checkup, checkAgent } from '../doctor/check-agent.js';
import { importHistory } from '../import/import-history.js';
import type { InitFlags } from './command.js';
import { setDefaultAgent } from './default-agent.js';
import { rememberOffer } from './offer.js';
import { addCompletion, type CompletionPlace, completionPlace } from './shell-completion.js';

/** What is to be done, in words, and how. */
interface Step {
  /** Absent where it was asked already. */
  question?: string;
  would: string;
  run(): Promise<string | undefined>;
}

export async function setUp(this: Context, flags: InitFlags): Promise<void> {
  const { process } = this;
  const { env, platform, stdout, cwd } = process;
  const surroundings = { cwd: cwd(), env, platform, home: homedir() };
  const say = (...rows: string[]) =>
    print(
      stdout,
      rows.map((row) => byWords(safe(row), stdout)),
    );
  if (!flags.yes && !flags.dryRun) requireTerminal(process)[Symbol.dispose]();
  if (flags.agent !== undefined && !AGENTS.some(({ name }) => name === flags.agent))
    throw new GlassboxError('unknown-agent', `There is no agent named ${flags.agent}. See glassbox doctor.`);
  const { settings } = await configurationFor(cwd(), process);
  await rememberOffer(surroundings);

  const checked = await Promise.all(AGENTS.map((agent) => checkAgent(agent, settings, surroundings)));
  const found = checked.filter(({ version }) => version !== undefined);
  await say(...foundRows(found));

  const chosen = await chosenAgent(found, flags, settings.agent, process);
  if (chosen === 'ended') return;
  const { agent, isAsked } = chosen;
  const ownFile = projectName(userFile(surroundings), surroundings.home, Number.POSITIVE_INFINITY);
  const { conversations } = await findHistory(historyAgents(), surroundings);
  const place = completionPlace(surroundings);
  const steps: Step[] = [
    ...(agent === undefined || agent === settings.agent
      ? []
      : [
          {
            ...(!isAsked && { question: `Use ${agent} when no agent is named?` }),
            would: `Would write agent ${agent} to ${ownFile}.`,
            run: async () => {
              await setDefaultAgent(agent, surroundings);
              return `${ownFile} says: agent ${agent}.`;
            },
          },
        ]),
    ...(conversations.length === 0
      ? []
      : [
          {
            question: `Import the ${counted(conversations.length, 'session')} that agents left on this machine?`,
            would: `Would import ${counted(conversations.length, 'session')} that agents left on this machine.`,
            run: async () => {
              await importHistory.call(this, flags.store === undefined ? {} : { store: flags.store });
              return undefined;
            },
          },
        ]),
    ...(place === undefined || place.isThere ? [] : [completionStep(place, surroundings.home)]),
  ];
  for (const { question, would, run } of steps) {
    if (flags.dryRun) {
      await say(would);
      continue;
    }
    const yes = flags.yes || question === undefined;
    const assent = await confirm(question ?? '', { yes, usual: 'yes' }, process);
    if (assent === 'ended') return;
    const done = assent === 'yes' ? await run() : undefined;
    if (done !== undefined) await say(`✔ ${done}`);
  }
  if (steps.length === 0) await say('There is nothing left to set up.');
  if (flags.dryRun) return say('Nothing was changed.');
  if (found.length > 0) await say('', 'Try it: glassbox run "Explain this project"');
  else process.exitCode = 127;
}

function foundRows(found: readonly Checkup[]): string[] {
  if (found.length > 0)
    return found.map(({ name, title, version = '' }) => `✔ ${name}  ${title} ${version.replace(` (${title})`, '')}`);
  return ['No agent was found. glassbox doctor tells how to install one; glassbox demo shows what it looks like.'];
}

/** Asked only where there is a choice; `ended` after Ctrl-C. */
async function chosenAgent(
  found: readonly Checkup[],
  { agent, yes, dryRun }: InitFlags,
  before: string | undefined,
  process: NodeJS.Process,
): Promise<{ agent: string | undefined; isAsked: boolean } | 'ended'> {
  const names = found.map(({ name }) => name);
  if (agent !== undefined || before !== undefined || names.length < 2 || yes || dryRun)
    return { agent: agent ?? before ?? names[0], isAsked: agent !== undefined };
  const chosen = await choose('Which agent is meant when none is named?', names, process);
  return chosen === undefined ? 'ended' : { agent: chosen, isAsked: true };
}

function completionStep(place: CompletionPlace, home: string): Step {
  const file = projectName(place.file, home, Number.POSITIVE_INFINITY);
  return {
    question: `Let Tab complete in ${place.shell}? It adds a line to ${file}.`,
    would: `Would let Tab complete in ${place.shell}, by ${file}.`,
    run: async () => {
      await addCompletion(place);
      return `Tab completes in new terminals (${file}).`;
    },
  };
}
