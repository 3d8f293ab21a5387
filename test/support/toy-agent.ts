/** The smallest agent that uses the whole contract, for tests of what lies around a protocol. */
import type { Agent, Capabilities, Protocol } from '../../src/agent/index.js';
import type { Draft } from '../../src/event/index.js';

/** Says `text-end` for `{"say": …}`, opens a tool for `{"tool": id}`, `turn-end` for `{"done": …}`, else `unknown`. */
export const toyAgent: Agent = {
  name: 'toy',
  title: 'Toy',
  kind: 'toy',
  program: { names: ['toy'], install: '', searchDirs: [], versionArgs: [], dropEnv: [], reservedFlags: [] },
  capabilities: {} as Capabilities,
  outputFlags: ['--lines'],
  detect: () => 0,
  command: () => ({ program: 'toy', args: [], stdin: { kind: 'none' }, ending: [] }),
  createProtocol: (request) => createToyProtocol(request?.prompt),
};

function createToyProtocol(prompt: string | undefined): Protocol {
  const context = { sessionId: 'toy-session', turn: 1 };
  const open = new Set<string>();
  let done = false;
  let said = 0;

  const read = (value: unknown, bytes: number): Draft[] => {
    const line = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    if (typeof line.say === 'string') {
      return [{ type: 'text-end', messageId: 'm', index: said++, text: line.say, ...context }];
    }
    if (typeof line.tool === 'string') {
      open.add(line.tool);
      return [{ type: 'tool-start', id: line.tool, name: 'Toy', kind: 'other', ...context }];
    }
    if ('done' in line) {
      done = true;
      return [{ type: 'turn-end', outcome: 'success', ...context }];
    }
    return [{ type: 'unknown', wireType: typeof value, bytes, ...context }];
  };

  return {
    start: () => ({ events: [], send: prompt === undefined ? [] : [prompt] }),
    receive: (value, bytes) => ({ events: read(value, bytes), send: [] }),
    act(action) {
      if (action.type !== 'say') return 'unsupported';
      return {
        events: [{ type: 'user-message', text: action.text, ...context, source: 'synthetic' }],
        send: [action.text],
      };
    },
    end() {
      const events: Draft[] = [...open].map((id) => ({
        type: 'tool-end',
        id,
        status: 'unknown',
        ...context,
        source: 'synthetic',
      }));
      if (!done) events.push({ type: 'turn-end', outcome: 'unknown', ...context, source: 'synthetic' });
      return { events, send: [] };
    },
    idle: () => done,
  };
}
