/** What one should know about a question besides what is asked: where, what lies outside, which hosts, and why. */
import type { Around } from './around.js';
import type { ApprovalRequest } from './consent.js';
import { namedHosts } from './named-host.js';
import { namedLoss } from './named-loss.js';
import { pathWithin } from './path-within.js';
import { tellsDeed, titleOf } from './title.js';

export interface Fact {
  /** What it tells: "Directory". */
  name: string;
  text: string;
  /** One to look at twice. */
  isWarning?: boolean;
}

export function factsOf(request: ApprovalRequest): Fact[] {
  const { directory, outside = [], linked = [], alsoHere = [], hosts = [] } = request;
  const { toolKind, toolName, reason, blockedPath, url } = request;
  const isBlockedElsewhere = blockedPath !== undefined && !outside.includes(blockedPath);
  const about = isBlockedElsewhere ? pathWithin(blockedPath, directory) : undefined;
  return [
    ...told('Outside the project', outside.join(', '), true),
    ...told('A file with a second name elsewhere', few(linked), true),
    ...lostBy(request),
    ...told('Also at work here', few(alsoHere)),
    ...told('Directory', toolKind === 'execute' ? directory : undefined),
    ...told('Network', toolKind === 'fetch' && hosts.length === 1 ? undefined : hosts.join(', ')),
    ...namedIn(request),
    ...told('Address', url),
    ...told('The agent says', descriptionOf(request)),
    ...told('It asks because', reason),
    ...told('It stopped at', about === '.' || request.paths?.includes(blockedPath ?? '') ? undefined : about),
    ...told('Tool', isToolTold(request) ? undefined : toolName),
  ];
}

/** A command may take away more than it names. */
function lostBy({ command = '', directory }: ApprovalRequest): Fact[] {
  const { deleted, outside, dropping } = namedLoss(command, directory);
  return [
    ...told('Deletes outside the project', few(outside), true),
    ...told('Deletes', few(deleted.filter((target) => !outside.includes(target))), true),
    ...told('Drops what is in no commit', few(dropping), true),
  ];
}

/** What a command names is no promise that it asks nobody else. */
function namedIn({ command = '', hosts = [] }: ApprovalRequest): Fact[] {
  const named = namedHosts(command).filter((host) => !hosts.includes(host));
  return told(named.length === 1 ? 'Names the host' : 'Names the hosts', few(named));
}

/** By a title that has its name, or says what one of the agent's own tools would do; one of somebody else's is always named. */
function isToolTold(request: ApprovalRequest): boolean {
  const { kind, toolName = '' } = request;
  if (kind !== 'tool' || titleOf(request).includes(toolName)) return true;
  return OWN_TOOL.test(toolName) && tellsDeed(request);
}

/** `Bash`, `apply_patch`; names of other servers' tools have more in them. */
const OWN_TOOL = /^[A-Za-z]+(_[A-Za-z]+)*$/;

/** What is not in the question itself. */
export function factsAround({ uncommitted = [], ignored = [], beside = [] }: Around): Fact[] {
  return [
    ...told('Changes that are in no commit', uncommitted.join(', '), true),
    ...told('Ignored by git', ignored.join(', ')),
    ...told('Also at work in this folder', few(beside)),
  ];
}

/** Who reads it is to decide about something else. */
const MOST_NAMED = 3;

function few(names: readonly string[]): string {
  const left = names.length - MOST_NAMED;
  return left <= 1 ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${left} more`;
}

/** Not what the title already says. */
function descriptionOf({ kind, title, description, toolName, paths = [] }: ApprovalRequest): string | undefined {
  if (kind === 'tool' && paths.some((path) => path === description || path.endsWith(`/${description}`)))
    return undefined;
  if (kind === 'elicitation') return [title, description].filter(Boolean).join('\n');
  if (kind !== 'tool' || title === undefined || title === toolName) return description;
  return [title, description === title ? undefined : description].filter(Boolean).join('\n');
}

function told(name: string, text: string | undefined, isWarning = false): Fact[] {
  return text ? [{ name, text, ...(isWarning && { isWarning }) }] : [];
}
