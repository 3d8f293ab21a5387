/** The half of a protocol that every JSON-RPC agent has in common: what is heard goes to the reader of its kind. */
import type { Protocol, Step } from '../agent.js';
import type { Chronicle } from '../chronicle/chronicle.js';
import type { Incoming, Peer, RpcId } from './peer.js';

/** What no host understands is the same for all agents. */
export type IncomingReaders = {
  [Kind in Exclude<Incoming['kind'], 'malformed'>]: (message: Extract<Incoming, { kind: Kind }>, bytes: number) => void;
};

export interface Conversation extends Pick<Protocol, 'receive' | 'end'> {
  /** What has come about since the last step. */
  step(): Step;
  /** A request that is no question to a person. */
  refuse(id: RpcId, method: string, bytes: number, isKnown?: boolean): void;
}

export function converse(peer: Peer, chronicle: Chronicle, readers: IncomingReaders): Conversation {
  const step = (): Step => ({ events: chronicle.take(), send: peer.take() });
  return {
    step,
    receive(value, bytes) {
      const message = peer.read(value);
      if (message.kind === 'malformed') chronicle.write({ type: 'unknown', wireType: 'nonsense', bytes });
      // The table has an entry per kind, each for its own messages.
      else (readers[message.kind] as (message: Incoming, bytes: number) => void)(message, bytes);
      return step();
    },
    refuse(id, method, bytes, isKnown = false) {
      peer.refuse(id, `glassbox does not offer ${method}`);
      if (!isKnown) chronicle.write({ type: 'unknown', wireType: method, bytes });
    },
    end() {
      chronicle.end();
      return step();
    },
  };
}
