/** The oracle can fail: whatever is taken from or changed in the events of the recordings, for each agent that has such events it is seen. */
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../src/decode/index.js';
import { type AgentEvent, defined, type EventOf, type Loose, type Usage } from '../src/event/index.js';
import { differences, oracles } from './support/oracle/index.js';
import { ownRecordings, valuesOf } from './support/recordings.js';

const read = ownRecordings().flatMap(({ name, agent, stdout }) => {
  const facts = oracles[agent]?.(valuesOf(stdout));
  if (!facts) return [];
  const decoder = createDecoder(agent, { guard: false, now: () => 0 });
  return [{ name, agent, facts, events: [...decoder.push(stdout), ...decoder.end()] }];
});

/** Each gives the damaged event, nothing when the event is lost, or the event itself when it is none of its own. */
type Damage = (event: AgentEvent) => AgentEvent | undefined;

const lose =
  (type: AgentEvent['type']): Damage =>
  (event) =>
    event.type === type ? undefined : event;

const change =
  <Type extends AgentEvent['type']>(
    type: Type,
    alter: (event: EventOf<Type>) => Loose<Partial<EventOf<Type>>>,
  ): Damage =>
  (event) => {
    const copy: AgentEvent = { ...event };
    if (isA(event, type)) Object.assign(copy, alter(event));
    return copy;
  };

const without = (name: keyof Usage): Damage =>
  change('turn-end', ({ usage }) => ({ usage: { ...usage, [name]: undefined } }));

/** Agents of whose recordings one says so in so many words. */
const damages: Record<string, [damage: Damage, agents: string]> = {
  'a text is lost': [lose('text-end'), 'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen'],
  'a text is cut': [
    change('text-end', ({ text }) => ({ text: text.slice(1) })),
    'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'a thought is lost': [lose('thinking-end'), 'amp claude cline codex copilot cursor droid kilo kimi opencode pi qwen'],
  'a thought is cut': [
    change('thinking-end', ({ text }) => ({ text: text.slice(1) })),
    'amp claude cline codex copilot cursor droid kilo kimi opencode pi qwen',
  ],
  'a call is lost': [
    lose('tool-start'),
    'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'what a call was given is changed': [
    change('tool-input-end', () => ({ input: { other: true } })),
    'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'a result is lost': [
    lose('tool-end'),
    'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'an output is changed': [
    change('tool-end', ({ output }) => ({ output: `${output}!` })),
    'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'a failure is called good': [
    change('tool-end', ({ status }) => (status === 'ok' ? {} : { status: 'ok' })),
    'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'a good end is called a failure': [
    change('tool-end', ({ status }) => (status === 'ok' ? { status: 'failed' } : {})),
    'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'a refusal is called a failure': [
    change('tool-end', ({ status }) => (status === 'denied' ? { status: 'failed' } : {})),
    'amp claude codex copilot cursor droid gemini kilo kimi opencode qwen',
  ],
  'an exit code is lost': [
    change('tool-end', () => ({ exitCode: undefined })),
    'amp claude codex copilot cursor droid kilo kimi opencode pi qwen',
  ],
  'a changed file is lost': [lose('file-change'), 'claude codex copilot cursor droid gemini kilo opencode pi'],
  'the session has another name': [
    (event) => ({ ...event, sessionId: 'other' }),
    'amp claude codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'an answer is changed': [
    change('turn-end', ({ text }) => (text === undefined ? {} : { text: `${text}!` })),
    'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'a success is called a failure': [
    change('turn-end', ({ outcome }) => (outcome === 'success' ? { outcome: 'failed' } : {})),
    'amp claude cline codex copilot cursor droid gemini kilo kimi opencode pi qwen',
  ],
  'a failed turn is called a success': [
    change('turn-end', ({ outcome }) => (outcome === 'failed' ? { outcome: 'success' } : {})),
    'amp claude cline codex copilot droid gemini kilo kimi opencode pi qwen',
  ],
  'an interruption is called a failure': [
    change('turn-end', ({ outcome }) => (outcome === 'interrupted' ? { outcome: 'failed' } : {})),
    'amp claude codex copilot droid kimi opencode pi qwen',
  ],
  'errors are silenced': [
    (event) =>
      event.type === 'agent-error'
        ? undefined
        : event.type === 'turn-end'
          ? defined<AgentEvent>({ ...event, error: undefined })
          : event,
    'amp claude cline codex copilot droid gemini kilo kimi opencode pi qwen',
  ],
  'a cost is changed': [
    change('turn-end', ({ cost }) => (cost ? { cost: { ...cost, usd: cost.usd + 1 } } : {})),
    'claude kilo opencode pi',
  ],
  'a cost is lost': [change('turn-end', () => ({ cost: undefined })), 'claude kilo opencode pi'],
  'fresh tokens are lost': [without('inputTokens'), 'amp claude cline codex droid gemini kilo opencode pi qwen'],
  'tokens of answers are lost': [without('outputTokens'), 'amp claude cline codex droid gemini kilo opencode pi qwen'],
  'tokens read from a cache are lost': [
    without('cacheReadTokens'),
    'amp claude cline codex droid gemini kilo opencode pi qwen',
  ],
  'tokens written to a cache are lost': [without('cacheWriteTokens'), 'amp claude'],
  'the shares of models are lost': [change('turn-end', () => ({ modelUsage: undefined })), 'claude gemini'],
  'a retry is lost': [lose('retry'), 'claude cline codex copilot kimi pi qwen'],
  'limits are lost': [lose('rate-limit'), 'claude'],
  'a task is lost': [lose('task-start'), 'claude cline codex copilot droid opencode qwen'],
  'the end of a task is changed': [
    change('task-end', ({ status }) => ({ status: status === 'ok' ? 'failed' : 'ok' })),
    'claude cline codex copilot droid opencode qwen',
  ],
  'a hook is lost': [lose('hook-start'), 'claude'],
  'the end of a hook is changed': [
    change('hook-end', ({ outcome }) => ({ outcome: outcome === 'ok' ? 'failed' : 'ok' })),
    'claude',
  ],
  'a list is lost': [lose('todo-update'), 'claude codex copilot kilo kimi opencode'],
  'a list is changed': [
    change('todo-update', ({ todos }) => ({ todos: todos.slice(1) })),
    'claude codex copilot kilo kimi opencode',
  ],
  'a question is lost': [lose('approval-request'), 'claude codex droid kimi opencode pi qwen'],
  'a yes is called a no': [
    change('approval-resolve', ({ decision }) => (decision === 'allow' ? { decision: 'deny' } : {})),
    'claude codex kimi opencode qwen',
  ],
  'a no is called a yes': [
    change('approval-resolve', ({ decision }) => (decision === 'deny' ? { decision: 'allow' } : {})),
    'claude codex droid kimi opencode qwen',
  ],
};

function isA<Type extends AgentEvent['type']>(event: AgentEvent, type: Type): event is EventOf<Type> {
  return event.type === type;
}

describe('as it is', () => {
  test('nothing differs', () => {
    expect(
      read.flatMap(({ facts, events, name }) => differences(facts, events).map((why) => `${name}: ${why}`)),
    ).toEqual([]);
  });
});

describe.each(Object.entries(damages))('%s', (_, [damage, agents]) => {
  test.each(agents.split(' '))('of %s', (agent) => {
    const seen = read
      .filter((recording) => recording.agent === agent)
      .filter(
        ({ facts, events }) =>
          differences(
            facts,
            events.flatMap((event) => damage(event) ?? []),
          ).length > 0,
      );
    expect(seen.length).toBeGreaterThan(0);
  });
});
