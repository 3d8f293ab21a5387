/** Standing answers to approval requests: allow, deny or ask by tool kind, tool name, path, command and host. */
import type { DraftOf, EventOf, Loose, Targets, ToolKind } from '../../event/index.js';
import {
  allowsCommand,
  containsCommand,
  isInsideGlob,
  type Located,
  locate,
  matchesHost,
  matchesName,
  mayHold,
  type Place,
  touchesGlob,
} from './pattern.js';

/** Every field that is present must match. At least one besides `decision` is needed. */
export interface Rule {
  decision: 'allow' | 'deny' | 'ask';
  kind?: ToolKind;
  /** Name of the tool; `*` stands for anything. */
  tool?: string;
  /** Glob over the paths that the call touches. */
  path?: string;
  /** Pattern over the command line; `*` stands for anything. */
  command?: string;
  /** Host that it fetches from; `*.example.org` is every host below. */
  host?: string;
}

export type ApprovalRequest = EventOf<'approval-request'>;

/** A request before the guard: a rule must see what would really be done. */
export type Asked = DraftOf<'approval-request'>;

export interface Finding {
  decision: Rule['decision'];
  /** In the words of `describeRule`. */
  rule: string;
}

/**
 * What the rules say, if they say anything. Deny goes before ask before allow, whatever their order and origin: no file can loosen what
 * another forbids. A rule that forbids and cannot tell whether it is meant asks. Of several calls in one question each is judged: one
 * is enough to forbid, all must be allowed.
 */
export function findRule(rules: readonly Rule[], request: Asked, place: Place): Finding | undefined {
  const findings = callsOf(request, place).map((call) => findFor(rules, call));
  const strictest = (['deny', 'ask'] as const).flatMap((decision) =>
    findings.filter((one) => one?.decision === decision),
  );
  if (strictest[0]) return strictest[0];
  const allowing = findings.filter((finding) => finding !== undefined);
  if (allowing.length < findings.length) return undefined;
  return { decision: 'allow', rule: [...new Set(allowing.map(({ rule }) => rule))].join(', ') };
}

/** For events and people: `deny path=**\/.env`. */
export function describeRule({ decision, ...conditions }: Rule): string {
  return [decision, ...Object.entries(conditions).map(([name, value]) => `${name}=${value}`)].join(' ');
}

/** One call with its paths where they really lead. */
export interface Call extends Loose<Omit<Targets, 'paths' | 'edits'>> {
  name: string;
  kind: ToolKind | undefined;
  paths: Located[];
  place: Place;
}

export function callsOf(request: Asked, place: Place): Call[] {
  const { directory, blockedPath, toolName = '', toolKind, calls } = request;
  const from = directory === undefined ? place : { ...place, cwd: locate(directory, place).named };
  const asked = calls?.length ? calls : [{ ...request, toolName, toolKind }];
  return asked.map((call) => ({
    name: call.toolName,
    kind: call.toolKind,
    command: call.command,
    hosts: call.hosts,
    paths: [...(call.paths ?? []), ...(blockedPath === undefined ? [] : [blockedPath])]
      .flatMap(readingsOf)
      .map((file) => locate(file, from)),
    place,
  }));
}

/** Some programs take away the space around a path, and nobody knows which: both are meant. */
function readingsOf(file: string): string[] {
  const bare = file.trim();
  return bare === file ? [file] : [file, bare];
}

/** Kinds of calls that cannot be judged by path without one. */
const FILE_KINDS: readonly (ToolKind | undefined)[] = ['read', 'edit', 'delete', 'move', 'search'];
const CHANGING_KINDS: readonly (ToolKind | undefined)[] = ['edit', 'delete', 'move'];
/** Those that reach everything below a directory. */
const DEEP_KINDS: readonly (ToolKind | undefined)[] = ['delete', 'move', 'search'];

type Match = 'yes' | 'no' | 'unsure';

function findFor(rules: readonly Rule[], call: Call): Finding | undefined {
  const matched = rules.map((rule) => ({ rule, match: matchOf(rule, call) })).filter(({ match }) => match !== 'no');
  const found = (decision: Rule['decision'], match: Match) =>
    matched.find((one) => one.rule.decision === decision && one.match === match)?.rule;
  const denied = found('deny', 'yes');
  if (denied) return { decision: 'deny', rule: describeRule(denied) };
  const asked = found('ask', 'yes') ?? found('deny', 'unsure') ?? found('ask', 'unsure');
  if (asked) return { decision: 'ask', rule: describeRule(asked) };
  const allowed = found('allow', 'yes');
  return allowed && { decision: 'allow', rule: describeRule(allowed) };
}

function matchOf(rule: Rule, call: Call): Match {
  if (rule.kind !== undefined && rule.kind !== call.kind) return 'no';
  if (rule.tool !== undefined && !matchesName(call.name, rule.tool)) return 'no';
  const conditions = rule.decision === 'allow' ? allowing(rule, call) : forbidding(rule, call);
  if (conditions.includes('no')) return 'no';
  return conditions.includes('unsure') ? 'unsure' : 'yes';
}

/** To allow, everything that it touches must be known and meant; a tool of another kind only when the rule names it. */
function allowing({ tool, path, command, host }: Rule, { kind, paths, place, ...call }: Call): Match[] {
  const isNamed = tool !== undefined;
  const { hosts = [] } = call;
  const line = call.command;
  return [
    asMatch(!CHANGING_KINDS.includes(kind) || paths.length > 0),
    ...(path === undefined
      ? []
      : [
          asMatch(isNamed || FILE_KINDS.includes(kind)),
          asMatch(paths.length > 0 && paths.every((file) => isInsideGlob(file, path, place))),
        ]),
    ...(command === undefined
      ? []
      : [asMatch(isNamed || kind === 'execute'), asMatch(line !== undefined && allowsCommand(line, command))]),
    ...(host === undefined
      ? []
      : [
          asMatch(isNamed || kind === 'fetch'),
          asMatch(hosts.length > 0 && hosts.every((one) => matchesHost(one, host))),
        ]),
  ];
}

/** To forbid, one thing that it touches is enough; where that is not known it may be meant. */
function forbidding({ path, command, host }: Rule, { kind, paths, place, ...call }: Call): Match[] {
  const { hosts = [] } = call;
  const line = call.command;
  const matches: Match[] = [];
  if (path !== undefined) {
    const isBelow = DEEP_KINDS.includes(kind) && paths.some((file) => mayHold(file, path, place));
    const isUnknown = paths.length === 0 ? FILE_KINDS.includes(kind) : paths.some(mayBeAnother);
    matches.push(paths.some((file) => touchesGlob(file, path, place)) ? 'yes' : isBelow || isUnknown ? 'unsure' : 'no');
  }
  if (command !== undefined) {
    matches.push(line === undefined ? (kind === 'execute' ? 'unsure' : 'no') : asMatch(containsCommand(line, command)));
  }
  if (host !== undefined) {
    const isUnknown = kind === 'fetch' && hosts.length === 0;
    matches.push(hosts.some((one) => matchesHost(one, host)) ? 'yes' : isUnknown ? 'unsure' : 'no');
  }
  return matches;
}

/** Nobody knows where it leads, or what else it is called. */
function mayBeAnother({ real, hasOtherNames }: Located): boolean {
  return real.length === 0 || hasOtherNames;
}

function asMatch(matches: boolean): Match {
  return matches ? 'yes' : 'no';
}
