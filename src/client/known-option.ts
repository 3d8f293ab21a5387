/** The names of everything that a client can be told, which the compiler keeps complete. */
import type { OptionNames } from '../event/option.js';
import type { Answer, AnswerOf, CostQuery, FindQuery, SayRequest, SessionQuery, StartRequest } from './api.js';
import type { ClientOptions, StreamOptions } from './client.js';

export const CLIENT_NAMES: OptionNames<ClientOptions> = {
  url: true,
  token: true,
  fetch: true,
  onLost: true,
  retryMs: true,
  whileLost: true,
};
export const STREAM_NAMES: OptionNames<StreamOptions> = {
  signal: true,
  onConnection: true,
};
export const SESSION_NAMES: OptionNames<SessionQuery> = {
  agent: true,
  project: true,
  state: true,
  outcome: true,
  since: true,
  until: true,
  text: true,
  limit: true,
  cursor: true,
};
export const FIND_NAMES: OptionNames<FindQuery> = {
  text: true,
  agent: true,
  tool: true,
  project: true,
  outcome: true,
  since: true,
  until: true,
  minUsd: true,
  maxUsd: true,
  order: true,
  limit: true,
  cursor: true,
};
export const COST_NAMES: OptionNames<CostQuery> = {
  by: true,
  agent: true,
  project: true,
  since: true,
  until: true,
};
export const START_NAMES: OptionNames<StartRequest> = {
  agent: true,
  prompt: true,
  cwd: true,
  permission: true,
  model: true,
  timeoutMs: true,
  budgetUsd: true,
  maxTurns: true,
};
export const SAY_NAMES: OptionNames<SayRequest> = {
  text: true,
};
/** The server checks what each holds. */
export const ANSWER_NAMES: { [Type in Answer['type']]: OptionNames<AnswerOf<Type>> } = {
  approve: { changes: true, remember: true },
  deny: { message: true, interrupt: true },
  answer: { answers: true },
};
