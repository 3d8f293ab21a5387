/** Runs lines through the protocol and gives the drafts, for tests that are tables of lines and events. */
import { readFileSync } from 'node:fs';
import { claude } from '../../../src/agent/claude/index.js';
import type { CommandRequest, Protocol } from '../../../src/agent/index.js';
import type { Draft, DraftOf, EventType } from '../../../src/event/index.js';

export type Line = Record<string, unknown>;

export function translate(lines: readonly unknown[], request?: Partial<CommandRequest>): Draft[] {
  const protocol = claude.createProtocol(request);
  return [...receiveAll(protocol, lines), ...protocol.end().events];
}

export function receiveAll(protocol: Protocol, lines: readonly unknown[]): Draft[] {
  return lines.flatMap((line) => protocol.receive(line, JSON.stringify(line)?.length ?? 0).events);
}

export function only<Type extends EventType>(drafts: readonly Draft[], type: Type): DraftOf<Type>[] {
  return drafts.filter((draft): draft is DraftOf<Type> => draft.type === type);
}

/** The lines of a recording kept in the repository. */
export function recording(name: string): Line[] {
  const path = new URL(`../../recordings/claude/${name}/stdout.jsonl`, import.meta.url);
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Line];
      } catch {
        return [];
      }
    });
}

export const init: Line = {
  type: 'system',
  subtype: 'init',
  session_id: 's1',
  cwd: '/repo',
  tools: ['Bash'],
  model: 'model-1',
};

export const assistant = (id: string, block: Line, more: Line = {}): Line => ({
  type: 'assistant',
  message: { id, role: 'assistant', model: 'model-1', content: [block], stop_reason: null },
  parent_tool_use_id: null,
  session_id: 's1',
  ...more,
});

export const text = (value: string): Line => ({ type: 'text', text: value });

export const toolUse = (id: string, name: string, input: Line = {}): Line => ({ type: 'tool_use', id, name, input });

export const toolResult = (id: string, content: unknown, more: Line = {}, line: Line = {}): Line => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
  parent_tool_use_id: null,
  session_id: 's1',
  ...line,
});

export const result = (more: Line = {}): Line => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'done',
  session_id: 's1',
  total_cost_usd: 0.01,
  ...more,
});

export const streamEvent = (event: Line): Line => ({ type: 'stream_event', event, session_id: 's1' });
