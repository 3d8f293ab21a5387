/** Recognises the lines of the opencode family and tells its members apart. */
import { isObject, type Json, members, string } from '../field.js';

export type Member = 'opencode' | 'fork';

/** How sure these first values are of this member of the family. */
export function detectMember(values: readonly unknown[], member: Member, agentInfo: RegExp): number {
  return Math.max(0, ...values.map((value) => certainty(members(value), member, agentInfo)));
}

function certainty(line: Json, member: Member, agentInfo: RegExp): number {
  const info = string(members(members(line.result).agentInfo).name);
  if (info !== undefined) return agentInfo.test(info) ? 1 : 0;
  if (!isFamilyLine(line)) return 0;
  const maker = makerOf(line);
  if (maker !== undefined) return maker === member ? 0.95 : 0;
  return member === 'opencode' ? 0.6 : 0.5;
}

function isFamilyLine({ type, timestamp, sessionID, part, error }: Json): boolean {
  if (typeof timestamp !== 'number' || typeof sessionID !== 'string' || !sessionID.startsWith('ses_')) return false;
  if (type === 'error') return error !== undefined;
  return isObject(part) && /^(step_start|step_finish|text|reasoning|tool_use)$/.test(string(type) ?? '');
}

/** The fork writes the same lines, with figures of its own and the ids of a part in another order. */
function makerOf({ type, part }: Json): Member | undefined {
  const { metrics, state, ...rest } = members(part);
  if (metrics !== undefined || members(members(state).metadata).approval !== undefined) return 'fork';
  if (type !== 'step_start') return undefined;
  const names = Object.keys(rest);
  return names.indexOf('sessionID') < names.indexOf('messageID') ? 'fork' : 'opencode';
}
