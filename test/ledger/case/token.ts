/** Tokens: of turns, of messages, by model, of sub-agents. */
import type { Cost, ModelUsage, Usage } from '../../../src/event/index.js';
import { type Case, cost, message, reported, resumed, tokens, turn } from './words.js';

export const tokenCases: Record<string, Case> = {
  'tokens of turns are added, with all that went through the cache': {
    events: [
      ...turn(1, undefined, { usage: { ...tokens(10, 2), cacheReadTokens: 100, cacheWriteTokens: 5 } }),
      ...turn(2, undefined, { usage: { ...tokens(20, 3), cacheWriteTokens: 7 } }),
    ],
    run: undefined,
    usage: { ...tokens(30, 5), cacheReadTokens: 100, cacheWriteTokens: 12 },
  },
  'messages speak for a turn that does not sum up, each once': {
    events: [
      { type: 'turn-start' },
      message('a', tokens(10, 2)),
      message('b', tokens(10, 2)),
      { type: 'turn-end', outcome: 'success' },
    ],
    run: undefined,
    usage: tokens(20, 4),
  },
  'they speak for one that says zero, as after an abort': {
    events: [
      { type: 'turn-start' },
      message('a', tokens(10, 2)),
      { type: 'turn-end', outcome: 'interrupted', usage: tokens(0, 0), modelUsage: [] },
    ],
    run: undefined,
    usage: tokens(10, 2),
  },
  'and for one that is under way': {
    events: [{ type: 'turn-start' }, message('a', tokens(10, 2)), message('b', tokens(5, 1), { parent: 't' })],
    run: undefined,
    usage: tokens(15, 3),
  },
  'cumulative usage is reduced by the one before, and begins anew': {
    events: [10, 25, 5].flatMap((count, index) =>
      turn(index + 1, undefined, { usage: tokens(count), usageScope: 'process' }),
    ),
    run: undefined,
    usage: tokens(30),
  },
  'cumulative usage of a resumed session counts from its balance': {
    events: [
      { type: 'usage-update', turn: 0, balance: { usage: tokens(90, 9) } },
      ...turn(1, undefined, { usage: tokens(100, 10), usageScope: 'session' }),
    ],
    run: undefined,
    usage: tokens(10, 1),
  },
  'cumulative usage of a resumed session of which nobody knows counts from its first': {
    events: [
      resumed,
      ...turn(1, undefined, { usage: tokens(90), usageScope: 'session' }),
      ...turn(2, undefined, { usage: tokens(100), usageScope: 'session' }),
    ],
    run: undefined,
    usage: tokens(10),
  },
  'tokens by model contain those of sub-agents': {
    events: [
      { type: 'turn-start' },
      message('a', tokens(200, 38)),
      message('b', { inputTokens: 200 }, { parent: 't' }),
      { type: 'turn-end', outcome: 'success', usage: tokens(200, 38), ...models(0.5, 'process', tokens(400, 51)) },
    ],
    run: reported(0.5),
    usage: tokens(400, 51),
  },
  'tokens by model are reduced by those before': {
    events: [
      ...turn(1, undefined, models(0.1, 'process', tokens(10, 1))),
      ...turn(2, undefined, models(0.4, 'process', tokens(30, 3), tokens(5, 1))),
    ],
    turns: [reported(0.1), reported(0.3)],
    run: reported(0.4),
    usage: tokens(35, 4),
  },
  'tokens by model of a turn alone are added': {
    events: [
      ...turn(1, undefined, models(0.1, 'turn', tokens(10, 1))),
      ...turn(2, undefined, models(0.4, 'turn', tokens(30, 3))),
    ],
    run: reported(0.5),
    usage: tokens(40, 4),
  },
  'a resumed run may tell its own tokens': {
    events: turn(1, undefined, {
      cost: cost(0.5, 'session', { turnUsd: 0.1 }),
      modelUsage: [{ model: 'big', ...tokens(500, 50) }],
      turnModelUsage: [{ model: 'big', ...tokens(100, 10) }],
    }),
    run: reported(0.1),
    usage: tokens(100, 10),
  },
  'without sub-agents’ tokens by model their messages are added': {
    events: [
      { type: 'turn-start' },
      message('b', tokens(50, 5), { parent: 't' }),
      { type: 'turn-end', outcome: 'success', usage: tokens(100, 10) },
    ],
    run: undefined,
    usage: tokens(150, 15),
  },
  'unless the agent counts them itself': {
    events: [
      { type: 'turn-start' },
      message('b', tokens(50, 5), { parent: 't' }),
      { type: 'turn-end', outcome: 'success', usage: tokens(150, 15), usageCovers: 'all' },
    ],
    run: undefined,
    usage: tokens(150, 15),
  },
  'sub-agents of which nobody tells are said to be missing': {
    events: [
      { type: 'turn-start' },
      { type: 'task-start', id: 'x', kind: 'agent' },
      { type: 'turn-end', outcome: 'success', usage: tokens(100, 10) },
    ],
    run: undefined,
    usage: { ...tokens(100, 10), lacks: 'sub-agents' },
  },
  'a sub-agent that goes on after its turn belongs to the next': {
    events: [
      ...turn(1, cost(0.1, 'turn'), { usage: tokens(100, 10) }),
      message('b', tokens(50, 5), { parent: 't' }),
      ...turn(2, cost(0.1, 'turn'), { usage: tokens(100, 10) }),
    ],
    run: reported(0.2),
    usage: tokens(250, 25),
  },
};

function models(usd: number, scope: Cost['scope'], ...counts: Usage[]) {
  const modelUsage = counts.map((usage, index): ModelUsage => ({ model: `model ${index}`, ...usage }));
  return { cost: cost(usd, scope), modelUsage };
}
