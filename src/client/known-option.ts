/** The names of everything that a client can be told, which the compiler keeps complete. */
import type { OptionNames } from '../event/option.js';
import type {
  Answer,
  AnswerOf,
  AttachRequest,
  ChangeLinesQuery,
  ChangesQuery,
  CostQuery,
  DecisionQuery,
  FileQuery,
  FindQuery,
  GoOnRequest,
  LabelRequest,
  RewindQuery,
  RewindRequest,
  SayRequest,
  SessionQuery,
  StartQuery,
  StartRequest,
} from './api.js';
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
  minUsd: true,
  maxUsd: true,
  pinned: true,
  archived: true,
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
  state: true,
  outcome: true,
  since: true,
  until: true,
  minUsd: true,
  maxUsd: true,
  pinned: true,
  archived: true,
};
export const DECISION_NAMES: OptionNames<DecisionQuery> = {
  since: true,
  limit: true,
};
export const START_NAMES: OptionNames<StartRequest> = {
  agent: true,
  prompt: true,
  cwd: true,
  permission: true,
  model: true,
  effort: true,
  attachments: true,
  timeoutMs: true,
  budgetUsd: true,
  budgetTokens: true,
  maxTurns: true,
  goOn: true,
  worktree: true,
};
export const ATTACH_NAMES: OptionNames<AttachRequest> = {
  name: true,
  data: true,
};
export const CHOICE_NAMES: OptionNames<StartQuery> = {
  agent: true,
  cwd: true,
};
export const FILE_NAMES: OptionNames<FileQuery> = {
  text: true,
  cwd: true,
};
export const GO_ON_NAMES: OptionNames<GoOnRequest> = { at: true };
export const SAY_NAMES: OptionNames<SayRequest> = {
  text: true,
  permission: true,
  model: true,
  effort: true,
  attachments: true,
  fork: true,
};
export const LABEL_NAMES: OptionNames<LabelRequest> = {
  name: true,
  pinned: true,
  archived: true,
};
export const CHANGES_NAMES: OptionNames<ChangesQuery> = {
  turn: true,
  brief: true,
};
export const CHANGE_LINES_NAMES: OptionNames<ChangeLinesQuery> = {
  turn: true,
  from: true,
  limit: true,
};
export const MOMENT_NAMES: OptionNames<RewindQuery> = {
  turn: true,
  before: true,
};
export const REWIND_NAMES: OptionNames<RewindRequest> = {
  turn: true,
  before: true,
  fingerprint: true,
  filesOnly: true,
  paths: true,
  hunks: true,
};
/** The server checks what each holds. */
export const ANSWER_NAMES: { [Type in Answer['type']]: OptionNames<AnswerOf<Type>> } = {
  approve: { changes: true, remember: true },
  deny: { message: true, interrupt: true },
  answer: { answers: true },
};
