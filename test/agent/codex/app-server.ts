/** `codex app-server` as its lines say it: an opened thread, a turn, items, questions. */
import { codex } from '../../../src/agent/codex/index.js';
import type { CommandRequest } from '../../../src/agent/index.js';
import { converse, requestFor } from '../drive.js';

const thread = { id: 't-1', cwd: '/repo', cliVersion: '0.166.0' };
export const opened = { thread, model: 'gpt-5.5', approvalPolicy: 'on-request' };
export const notice = (method: string, params: object = {}) => ({ method, params: { threadId: 't-1', ...params } });
export const turnStarted = notice('turn/started', { turn: { id: 'turn-1' } });
export const started = (item: object) => notice('item/started', { item });
export const completed = (item: object) => notice('item/completed', { item });

/** A conversation up to its first turn. */
export function begin(request: Partial<CommandRequest> = {}) {
  const talk = converse(codex, requestFor({ mode: 'conversation', permission: 'ask', prompt: 'go', ...request }));
  talk.start();
  talk.hear({ id: 1, result: { codexHome: '/home/u/.codex' } });
  return talk;
}

export function inTurn(request?: Partial<CommandRequest>) {
  const talk = begin(request);
  talk.hear({ id: 2, result: opened });
  talk.hear({ id: 3, result: { turn: { id: 'turn-1' } } });
  talk.hear(turnStarted);
  talk.sent.length = 0;
  return talk;
}
