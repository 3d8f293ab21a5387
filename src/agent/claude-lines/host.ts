/** The host's side of the conversation: what is said, answered and asked of the agent, as lines for its stdin. */
import type { Action } from '../action.js';
import type { CommandRequest } from '../command.js';
import type { Json } from '../field.js';
import type { Scribe } from '../scribe.js';
import type { Asks } from './asks.js';
import { controlRequest, userLine } from './reply.js';
import type { Turns } from './turns.js';

export interface Host {
  /** The handshake and the first prompt. */
  start(): void;
  /** False when this run cannot be talked to. */
  act(action: Action): boolean;
  push(lines: readonly string[]): void;
  /** Hands over the lines since the last call. */
  take(): string[];
}

export interface HostNeeds {
  scribe: Scribe;
  asks: Asks;
  turns: Turns;
  request: Partial<CommandRequest>;
}

export function createHost({ scribe, asks, turns, request }: HostNeeds): Host {
  let lines: string[] = [];
  let requests = 0;

  const control = (subtype: string, body: Json = {}): void => {
    requests += 1;
    lines.push(controlRequest(`glassbox-${requests}`, { subtype, ...body }));
  };

  const say = (text: string): void =>
    scribe.write({ type: 'user-message', text }, { turn: turns.next(), source: 'synthetic' });

  return {
    start() {
      if (request.mode === 'conversation') control('initialize');
      if (request.prompt === undefined) return;
      say(request.prompt);
      if (request.mode === 'conversation') lines.push(userLine(request.prompt));
    },

    act(action) {
      if (request.mode === 'one-shot') return false;
      if (action.type === 'say') {
        say(action.text);
        lines.push(userLine(action.text));
      } else if (action.type === 'interrupt') control('interrupt');
      else if (action.type === 'set-permission') control('set_permission_mode', { mode: action.mode });
      else if (action.type === 'set-model') control('set_model', { model: action.model });
      else lines.push(...asks.answer(action));
      return true;
    },

    push(more) {
      lines.push(...more);
    },

    take() {
      const taken = lines;
      lines = [];
      return taken;
    },
  };
}
