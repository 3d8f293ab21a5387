import type { Draft } from '../../../src/event/index.js';
import { ofType } from '../drive.js';
import type { Conformance } from '../suite.js';

const run = 'run --format json --thinking';

export const familyCommands: Conformance['commands'] = [
  ['the prompt goes by stdin', {}, run, 'text'],
  ['model', { model: 'provider/model' }, `${run} --model=provider/model`],
  ['accept-edits', { permission: 'accept-edits' }, run],
  ['plan', { permission: 'plan' }, `${run} --agent=plan`],
  ['bypass', { permission: 'bypass' }, `${run} --auto`],
  ['resume', { resume: 'ses_1' }, `${run} --session=ses_1`],
  ['resume the latest', { resume: 'latest' }, `${run} --continue`],
  ['fork', { resume: 'ses_1', fork: true }, `${run} --session=ses_1 --fork`],
  ['further arguments', { extraArgs: ['--variant=high'] }, `${run} --variant=high`],
  ['a conversation', { mode: 'conversation' }, 'acp', 'lines'],
  ['MCP servers need the other protocol', { mcpConfig: '{}' }, 'acp', 'lines'],
  ['asking needs a conversation', { permission: 'ask' }, 'acp', 'lines'],
];

/** Exit status 0 with an answer is a success; a failure is told as one. */
export function familyChecks(
  events: readonly Draft[],
  { exitCode, name }: { exitCode?: number | undefined; name: string },
): string[] {
  const [end] = ofType(events, 'turn-end');
  if (!end || /acp/.test(name)) return [];
  if (exitCode === undefined) return end.outcome === 'unknown' ? [] : [`killed, but ${end.outcome}`];
  if (exitCode !== 0) return end.outcome === 'failed' ? [] : [`exit status ${exitCode}, but ${end.outcome}`];
  return end.outcome === 'success' || end.stopReason === 'length' ? [] : [`exit status 0, but ${end.outcome}`];
}
