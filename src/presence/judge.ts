/**
 * Evidence → the state of a session, pure and the same for every agent and every screen.
 *
 * Silence proves nothing: a session has ended only when somebody says so or nobody is left who could go on with it, and works only while
 * something lives that works. What contradicts is told and never hidden.
 */
import { type Awaited, type Evidence, type Presence, type ProcessId, SOURCES, type State } from './evidence.js';

type Doing = Extract<State, 'working' | 'waiting' | 'idle'>;

export function judge(evidence: readonly Evidence[]): Presence {
  const processes = lastWords(evidence);
  const living = processes.filter(({ says }) => says !== 'absent');
  const claims = evidence.filter((one) => isDoing(one) && !isOfDead(one, processes));
  const runs = evidence.filter(({ source }) => source === 'run');
  if (living.length === 0 && !runs.some((one) => goesOn(one, runs))) return judgeLifeless(evidence, claims);
  const awake = living.filter(({ says }) => says === 'present');
  if (living.length > 0 && awake.length === 0) return answer('parked', evidence, newest(living));
  const claim = strongest(claims.filter((one) => !isOfEarlier(one, living)));
  if (!claim) return answer('unknown', evidence);
  return answer(claim.says as Doing, evidence, claim);
}

/** Nothing has it, as far as anybody looked. */
function judgeLifeless(evidence: readonly Evidence[], claims: readonly Evidence[]): Presence {
  const parked = newest(evidence.filter(({ says }) => says === 'parked'));
  const end = newest(evidence.filter(({ says }) => says === 'ended' || says === 'absent'));
  if (!end) return answer('unknown', evidence);
  // Who did something afterwards was not the one who ended.
  if (claims.some(({ at }) => at > end.at)) return answer('unknown', evidence);
  if (parked) return answer('parked', evidence, parked);
  const lastSign = Math.max(...evidence.filter(({ says }) => says !== 'absent').map(({ at }) => at));
  const ended = evidence.filter(({ says }) => says === 'ended').map(({ at }) => at);
  return answer('ended', evidence, { ...end, at: ended.length > 0 ? Math.max(...ended) : lastSign });
}

function answer(
  state: State,
  evidence: readonly Evidence[],
  chosen?: Pick<Evidence, 'at' | 'for' | 'until'>,
): Presence {
  const against = evidence.filter((one) => contradicts(one, state));
  const because = evidence.filter((one) => !against.includes(one));
  return {
    state,
    ...(state === 'waiting' && chosen?.for && { for: chosen.for }),
    ...(state === 'parked' && chosen?.until !== undefined && { until: chosen.until }),
    ...(chosen && Number.isFinite(chosen.at) && { since: chosen.at }),
    because: because.toSorted(byTrust),
    against: against.toSorted(byTrust),
  };
}

const LIVES: readonly State[] = ['working', 'waiting', 'idle'];

function contradicts({ says }: Evidence, state: State): boolean {
  if (state === 'unknown') return false;
  if (says === 'present') return !LIVES.includes(state);
  if (says === 'stopped') return state !== 'parked';
  if (says === 'absent') return state !== 'ended' && state !== 'parked';
  return says !== state;
}

/** Of each process what was seen last; when both were seen at once, that it lives. */
function lastWords(evidence: readonly Evidence[]): Evidence[] {
  const last = new Map<string, Evidence>();
  for (const one of evidence) {
    if (one.source !== 'process' || !one.process) continue;
    const before = last.get(nameOf(one.process));
    const isLater = !before || one.at > before.at || (one.at === before.at && before.says === 'absent');
    if (isLater) last.set(nameOf(one.process), one);
  }
  return [...last.values()];
}

function isDoing({ source, says }: Evidence): boolean {
  return source !== 'process' && (says === 'working' || says === 'waiting' || says === 'idle');
}

/** It said last that it does something; another process of a run says nothing about it. */
function goesOn(one: Evidence, runs: readonly Evidence[]): boolean {
  const isLater = (other: Evidence) => other.at > one.at && mayBeSame(other.process, one.process);
  return isDoing(one) && !runs.some((other) => !isDoing(other) && isLater(other));
}

function mayBeSame(a: ProcessId | undefined, b: ProcessId | undefined): boolean {
  return !a || !b || nameOf(a) === nameOf(b);
}

function isOfDead({ process }: Evidence, processes: readonly Evidence[]): boolean {
  if (!process) return false;
  return processes.some((one) => one.says === 'absent' && one.process && nameOf(one.process) === nameOf(process));
}

/** A turn that was open before any of these processes began was broken off; one that was over still is. */
function isOfEarlier({ says, process, at, source }: Evidence, living: readonly Evidence[]): boolean {
  if (says === 'idle' || process || source === 'run' || living.length === 0) return false;
  return living.every((one) => one.process !== undefined && at < one.process.began);
}

/** By source, and of one source the last one. A hook tells at once and not everything, a conversation late: of them the later word counts. */
function strongest(claims: readonly Evidence[]): Evidence | undefined {
  return claims.toSorted(byTrust)[0];
}

function byTrust(a: Evidence, b: Evidence): number {
  return rankOf(a) - rankOf(b) || b.at - a.at || SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source);
}

function rankOf({ source }: Evidence): number {
  return SOURCES.indexOf(source === 'transcript' ? 'hook' : source);
}

function newest(evidence: readonly Evidence[]): Evidence | undefined {
  return evidence.reduce<Evidence | undefined>((last, one) => (last && last.at >= one.at ? last : one), undefined);
}

function nameOf({ pid, began }: ProcessId): string {
  return `${pid} ${began}`;
}

export type { Awaited };
