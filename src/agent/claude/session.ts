/** What an `init` line tells about a session, and what of it is news. */

import { defined, type SessionFacts } from '../../event/index.js';
import { isObject, type Json, object, string, strings } from '../field.js';
import { mcpServersOf } from '../mcp-servers.js';

export function readSessionFacts(line: Json): SessionFacts {
  return defined({
    model: string(line.model),
    cwd: string(line.cwd),
    tools: strings(line.tools),
    mcpServers: Array.isArray(line.mcp_servers) ? mcpServersOf(line.mcp_servers) : undefined,
    permissionMode: string(line.permissionMode),
    agentVersion: string(line.claude_code_version),
    commands: names(line.slash_commands),
    agents: strings(line.agents),
    skills: strings(line.skills),
    plugins: names(line.plugins),
  });
}

/** The facts that differ from those already told; absent when none does. */
export function changedFacts(before: SessionFacts, after: SessionFacts): SessionFacts | undefined {
  let changed: SessionFacts | undefined;
  for (const key of Object.keys(after) as (keyof SessionFacts)[]) {
    if (after[key] === undefined || isSame(before[key], after[key])) continue;
    changed = { ...changed, [key]: after[key] };
  }
  return changed;
}

/** Equal by value; long lists of names come again with every turn, so they are not turned into text to compare them. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  return a === b || (isObject(a) && isObject(b) && JSON.stringify(a) === JSON.stringify(b));
}

/** A list of names, or of objects that have one. */
export function names(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found: string[] = [];
  for (const entry of value) {
    const name = string(entry) ?? string(object(entry)?.name);
    if (name !== undefined) found.push(name);
  }
  return found;
}
