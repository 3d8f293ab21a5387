/** The last line of a live view: what it does now, how long, how much. What it does stays on the narrowest terminal, the rest leaves in an order. */
import stringWidth from 'fast-string-width';
import type { LimitWindow } from '../../event/index.js';
import { costOf, inputTokens, tellMoney } from '../../ledger/index.js';
import {
  type Activity,
  activityText,
  type Run,
  type SessionState,
  selectCurrentActivity,
  selectRun,
  selectUsage,
} from '../../session/index.js';
import { count, duration, limitName } from '../../word/index.js';
import { cutToWidth } from '../text/cut-to-width.js';
import { safeLine } from '../text/safe.js';
import { styled } from './styled.js';
import { spinner } from './tool-rows.js';

export interface StatusOptions {
  width: number;
  color: boolean;
  /** The moment that is drawn, by the clock of the events. */
  now: number;
  /** When it began, by the same clock. */
  startedAt: number;
  /** What is said before its first event. */
  starting?: string | undefined;
  /** Which keys do something, where there is room for it. */
  hint?: KeyHint | undefined;
}

export interface KeyHint {
  words: string;
  /** The same where there is less room. */
  short?: string;
  /** There is no way on without it: the figures make room. */
  isNeeded?: boolean;
}

export function statusRow(state: SessionState, options: StatusOptions): string {
  const { width, color, now, startedAt, starting, hint } = options;
  const run = selectRun(state);
  const activity: Activity =
    run || starting === undefined ? selectCurrentActivity(state) : { kind: 'idle', word: starting, since: startedAt };
  const isWaiting = activity.kind === 'approval';
  const mark = isWaiting ? '◆' : activity.kind === 'ended' ? (OVER[activity.word] ?? '·') : spinner(now);
  const kept = hint && (hint.isNeeded || width >= WIDE) ? stringWidth(hint.words) + 2 : 0;
  const parts = fitting(partsOf(state, run, clock(now - startedAt)), width - kept);
  const facts = parts.map(({ text }) => ` · ${text}`).join('');
  const room = width - 3 - stringWidth(facts) - (hint?.isNeeded ? kept : 0);
  const doing = cutToWidth(doingText(activity, run, now), Math.max(8, room));
  const used = 3 + stringWidth(doing) + stringWidth(facts);
  const help = [hint?.words, hint?.short].find((words) => words && used + stringWidth(words) + 2 <= width) ?? '';
  const gap = help === '' ? '' : ' '.repeat(width - used - stringWidth(help));
  const looks = isWaiting ? (['warning'] as const) : (['accent'] as const);
  return ` ${styled(mark, looks, color)} ${doing}${styled(`${facts}${gap}${help}`, ['dim'], color)}`;
}

/** Its turn is over, if not its process. */
const OVER: Readonly<Record<string, string>> = { Done: '✔', Failed: '✖', Stopped: '⊘' };

/** What waits says for how long, or until when. */
function doingText(activity: Activity, run: Run | undefined, now: number): string {
  const { kind, since } = activity;
  // A path as it is seen from the project.
  const cwd = run?.facts.cwd;
  const all = activityText(activity);
  const words = safeLine(cwd ? all.replaceAll(`${cwd}/`, '') : all, 200);
  const retryAt = run?.retry?.delayMs === undefined ? undefined : run.retry.at + run.retry.delayMs;
  if (kind === 'retry' && retryAt !== undefined && retryAt > now) return `${words}, in ${seconds(retryAt - now + 999)}`;
  const isWait = kind === 'retry' || kind === 'stall' || kind === 'model' || kind === 'idle' || kind === 'compaction';
  // How long the model takes is counted from its last word, not from the beginning of the turn.
  const from = kind === 'model' && run ? run.at : since;
  const waited = from === undefined ? 0 : now - from;
  return isWait && waited >= 2000 ? `${words}, ${seconds(waited)}` : words;
}

interface Part {
  name: 'time' | 'tokens' | 'cost' | 'limits' | 'agent' | 'model';
  text: string;
}

/** In the order in which they leave when it gets narrow. */
const LEAVING: readonly Part['name'][] = ['model', 'tokens', 'limits', 'agent', 'time', 'cost'];
/** What it does should not be cut for them before it has so much room. */
const LEAST_DOING = 24;

function fitting(parts: readonly Part[], width: number): Part[] {
  let left = [...parts];
  const room = width - 3 - Math.min(LEAST_DOING, width / 2);
  for (const name of LEAVING) {
    if (left.reduce((sum, { text }) => sum + stringWidth(text) + 3, 0) <= room) break;
    left = left.filter((part) => part.name !== name);
  }
  return left;
}

const WIDE = 100;

function partsOf(state: SessionState, run: Run | undefined, time: string): Part[] {
  const { total } = selectUsage(state);
  const cost = run && costOf(run.ledger);
  const { model } = run?.facts ?? {};
  const agent = run?.agent ?? '';
  const all: [Part['name'], string | undefined][] = [
    ['time', time],
    ['tokens', total && `${count(inputTokens(total) + (total.outputTokens ?? 0))} tokens`],
    ['cost', cost && tellMoney(cost)],
    ['limits', limitsText(run?.limits ?? [])],
    // A model that bears the name of its agent says both.
    ['agent', model?.includes(agent) ? undefined : agent],
    ['model', model],
  ];
  return all.flatMap(([name, text]) => (text ? [{ name, text: safeLine(text, 60) }] : []));
}

function limitsText(limits: readonly LimitWindow[]): string {
  return limits
    .flatMap(({ name, utilization }) => {
      const word = limitName(name);
      // Those that only the agent has a name for would take the room of what people know.
      return word !== name && typeof utilization === 'number' ? [`${word} ${Math.round(utilization * 100)} %`] : [];
    })
    .join(', ');
}

const seconds = (ms: number): string => duration(Math.floor(ms / 1000) * 1000);

/** `0:42`, `1:02:03`. */
function clock(ms: number): string {
  const all = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
