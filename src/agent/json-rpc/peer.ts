/** One side of a JSON-RPC conversation over lines: numbers what we ask, sorts what we hear. Reads nothing, writes nothing, waits for nothing. */
import { isObject, type Json, members, number, string } from '../field.js';

export type RpcId = string | number;

export type Incoming =
  /** The answer to something we asked; `method` is absent when a recording answers what we never asked. */
  | { kind: 'result'; method: string | undefined; result: Json }
  | { kind: 'error'; method: string | undefined; message: string; code: number | undefined; data: Json }
  | { kind: 'request'; id: RpcId; method: string; params: Json }
  | { kind: 'notification'; method: string; params: Json }
  | { kind: 'malformed' };

export interface Peer {
  read(value: unknown): Incoming;
  ask(method: string, params: Json): void;
  tell(method: string, params?: Json): void;
  answer(id: RpcId, result: Json): void;
  refuse(id: RpcId, message: string): void;
  /** The lines to write since the last call. */
  take(): string[];
}

export interface PeerOptions {
  /** Writes the `jsonrpc` member, which some servers leave out. */
  versioned: boolean;
  /** Members that a server wants on every message beside those of JSON-RPC; its ids are strings then. */
  extraMembers?(kind: 'request' | 'response'): Json;
}

export function createPeer({ versioned, extraMembers }: PeerOptions): Peer {
  const asked = new Map<RpcId, string>();
  let lines: string[] = [];
  let lastId = 0;

  function send(message: Json): void {
    const dressed = extraMembers
      ? { ...extraMembers('method' in message ? 'request' : 'response'), ...message }
      : message;
    lines.push(JSON.stringify(versioned ? { jsonrpc: '2.0', ...dressed } : dressed));
  }

  function methodOf(id: unknown): string | undefined {
    if (!isId(id)) return undefined;
    const method = asked.get(id);
    asked.delete(id);
    return method;
  }

  return {
    read(value) {
      if (!isObject(value)) return { kind: 'malformed' };
      const { id, params } = value;
      const method = string(value.method);
      if (method !== undefined) {
        // An id of 0 is an id.
        return isId(id)
          ? { kind: 'request', id, method, params: members(params) }
          : { kind: 'notification', method, params: members(params) };
      }
      if (isObject(value.error)) {
        const { message, code, data } = value.error;
        const words = string(message) ?? 'The agent refused a request without saying why.';
        return { kind: 'error', method: methodOf(id), message: words, code: number(code), data: members(data) };
      }
      return 'result' in value
        ? { kind: 'result', method: methodOf(id), result: members(value.result) }
        : { kind: 'malformed' };
    },
    ask(method, params) {
      lastId += 1;
      const id = extraMembers ? String(lastId) : lastId;
      asked.set(id, method);
      send({ id, method, params });
    },
    tell(method, params) {
      send(params === undefined ? { method } : { method, params });
    },
    answer(id, result) {
      send({ id, result });
    },
    refuse(id, message) {
      send({ id, error: { code: METHOD_NOT_FOUND, message } });
    },
    take() {
      const taken = lines;
      lines = [];
      return taken;
    },
  };
}

const METHOD_NOT_FOUND = -32601;

function isId(id: unknown): id is RpcId {
  return typeof id === 'number' || typeof id === 'string';
}
