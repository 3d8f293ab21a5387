/** How long, how much, how far: the figures of a session as the store keeps them, and what its agent told last about its limits. */
import { tellMoney } from '../../ledger/index.js';
import { type SessionState, selectRun } from '../../session/index.js';
import type { RunRecord } from '../../store/index.js';
import { count, counted, duration, tokens } from '../../word/index.js';
import { type Look, rowsOf, styled } from '../terminal/styled.js';
import { cutToWidth } from '../text/cut-to-width.js';
import { safeLine } from '../text/safe.js';
import type { Listed } from './state.js';

interface Options {
  readonly width: number;
  readonly color: boolean;
  readonly now: number;
}

const NAME = 9;
const MOST_RUNS = 20;

export function numberRows({ session }: Listed, state: SessionState | undefined, options: Options): string[] {
  const { spent, usage, turns, toolCalls, runs, startedAt, updatedAt, agent, model, cwd, id } = session;
  const run = state && selectRun(state);
  const version = runs.at(-1)?.agentVersion;
  const facts: [string, string | undefined][] = [
    ['Cost', spent ? tellMoney(spent) : 'unknown'],
    ['Tokens', tokens(usage) ?? 'unknown'],
    ['Context', run?.context && contextText(run.context)],
    ['Work', `${counted(turns, 'turn')}, ${counted(toolCalls, 'tool call')}`],
    ['Time', timeText(runs, startedAt, updatedAt, options.now)],
    ['Agent', [agent, version, model].filter(Boolean).join(' · ')],
    ['Where', cwd],
    ...(run?.limits ?? []).map(({ name, utilization, resetsAt }): [string, string] => [
      'Limit',
      [
        name.replaceAll('_', ' '),
        typeof utilization === 'number' ? `${Math.round(utilization * 100)} %` : 'unknown',
        typeof resetsAt === 'number' && resetsAt > options.now
          ? `again in ${duration(Math.round((resetsAt - options.now) / 60_000) * 60_000)}`
          : '',
      ]
        .filter(Boolean)
        .join(' · '),
    ]),
  ];
  const shown = runs.slice(-MOST_RUNS);
  const left = runs.length - shown.length;
  return [
    ...facts.flatMap(([name, text]) => (text ? factRows(name, text, options) : [])),
    ...(runs.length > 1
      ? ['', ...rowsOf([{ text: counted(runs.length, 'run'), looks: ['bold'] }], options.width, options.color)]
      : []),
    ...(left > 0 ? [`  … ${left} before`] : []),
    ...(runs.length > 1 ? shown.flatMap((one) => runRows(one, options)) : []),
    '',
    ...rowsOf([{ text: `glassbox show ${id}   glassbox cost`, looks: ['dim'] }], options.width, options.color),
  ];
}

function factRows(name: string, text: string, { width, color }: Options): string[] {
  return rowsOf([{ text: safeLine(text, 400), looks: [] }], width - NAME, color).map(
    (row, index) => (index === 0 ? styled(name.padEnd(NAME), ['dim'], color) : ' '.repeat(NAME)) + row,
  );
}

function contextText({ tokens: used, limit }: { tokens?: number | undefined; limit?: number | undefined }): string {
  if (used === undefined) return '';
  return limit === undefined
    ? count(used)
    : `${count(used)} of ${count(limit)} (${Math.round((100 * used) / limit)} %)`;
}

/** How long its runs took together, and from when to when. */
function timeText(runs: readonly RunRecord[], startedAt: number, updatedAt: number, now: number): string {
  const worked = runs.reduce((sum, run) => sum + spanOf(run, now), 0);
  const ago = Math.max(0, now - updatedAt);
  const whole = runs.length > 1 ? `, begun ${duration(wholeSeconds(now - startedAt))} ago` : '';
  return `${duration(wholeSeconds(worked))}${whole}, last active ${ago < 60_000 ? 'now' : `${duration(Math.floor(ago / 60_000) * 60_000)} ago`}`;
}

const wholeSeconds = (ms: number): number => Math.floor(Math.max(0, ms) / 1000) * 1000;

function spanOf({ state, startedAt, endedAt, updatedAt }: RunRecord, now: number): number {
  return Math.max(0, (state === 'ended' ? (endedAt ?? updatedAt) : now) - startedAt);
}

function runRows(run: RunRecord, { width, color, now }: Options): string[] {
  const { agent, state, outcome, spent, turns, prompt } = run;
  const facts = [
    safeLine(agent, 30),
    state === 'ended' ? (outcome ?? 'ended') : state,
    duration(wholeSeconds(spanOf(run, now))),
    counted(turns, 'turn'),
    spent && tellMoney(spent),
  ].filter(Boolean);
  const indented = (text: string, looks: Look[], indent: string) =>
    rowsOf([{ text, looks }], width - indent.length, color).map((row) => indent + row);
  return [
    ...indented(facts.join(' · '), [], '  '),
    ...(prompt ? indented(cutToWidth(safeLine(prompt, 300), width - 4), ['dim'], '    ') : []),
  ];
}
