/**
 * Claude Code's live sessions: `~/.claude/sessions/<pid>.json` says what each process does and is written at every change (2.1.325), and
 * `jobs/<id>/state.json` says which background sessions were put aside. Nobody promises either; both stay behind when a process is killed.
 */
import type { Awaited } from '../../presence/evidence.js';
import { type Json, lookUp, members, number, string } from '../field.js';
import type { Registered, SignsOfLife } from '../presence.js';

export const presence: SignsOfLife = {
  registry: {
    folders: ['$CLAUDE_CONFIG_DIR', '~/.claude'],
    files: /^(sessions\/\d+\.json|jobs\/[\w-]+\/state\.json)$/,
    within: ['sessions', 'jobs'],
    depth: 2,
    read: (path, value) => (path.startsWith('jobs/') ? readJob(members(value)) : readSession(members(value))),
  },
};

const STATUS: Readonly<Record<string, 'working' | 'waiting' | 'idle'>> = {
  busy: 'working',
  shell: 'working',
  waiting: 'waiting',
  idle: 'idle',
};

function readSession(entry: Json): Registered | undefined {
  const { sessionId, pid, procStart, pidDomain, cwd, name, status, waitingFor, statusUpdatedAt } = entry;
  const [id, process, state] = [string(sessionId), number(pid), string(status)];
  if (id === undefined || process === undefined) return undefined;
  const says = lookUp(STATUS, state);
  const at = number(statusUpdatedAt);
  return {
    sessionId: id,
    process: {
      pid: process,
      ...(string(procStart) !== undefined && { startTicks: string(procStart) }),
      ...(string(pidDomain) !== undefined && { namespace: string(pidDomain)?.replace(/^.*?(pid:\[)/, '$1') }),
    },
    ...(string(cwd) !== undefined && { cwd: string(cwd) }),
    ...(entry.nameSource !== 'derived' && string(name) !== undefined && { title: string(name) }),
    ...(says && { says }),
    ...(says === 'waiting' && { for: awaited(string(waitingFor)) }),
    ...(at !== undefined && { at }),
    text: ['status', state ?? 'none', string(waitingFor)].filter((word) => word !== undefined).join(' '),
  } as Registered;
}

function awaited(text = 'input needed'): Awaited {
  const kind = /permission/.test(text) ? 'approval' : /dialog/.test(text) ? 'dialog' : 'question';
  return { kind, text };
}

/** What a live one does stands in the other file; `blocked` and `working` were seen to be late here. */
function readJob({ sessionId, state, cwd, updatedAt }: Json): Registered | undefined {
  const id = string(sessionId);
  if (id === undefined || state !== 'stopped') return undefined;
  const at = Date.parse(string(updatedAt) ?? '');
  const place = string(cwd);
  return {
    sessionId: id,
    says: 'parked',
    ...(place !== undefined && { cwd: place }),
    ...(at > 0 && { at }),
    text: 'background session, stopped',
  };
}
