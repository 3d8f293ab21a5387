/** The half of a protocol that every JSON-RPC agent has in common: what is heard goes to the reader of its kind. */
import type { Protocol, Step } from '../agent.js';
import type { Chronicle } from '../chronicle.js';
import type { Heard, Peer } from './peer.js';

export type Hearing = { [Kind in Heard['kind']]: (message: Extract<Heard, { kind: Kind }>, bytes: number) => void };

export interface Conversation extends Pick<Protocol, 'receive' | 'end'> {
  /** What has come about since the last step. */
  step(): Step;
}

export function converse(peer: Peer, chronicle: Chronicle, heard: Hearing): Conversation {
  const step = (): Step => ({ events: chronicle.take(), send: peer.take() });
  return {
    step,
    receive(value, bytes) {
      const message = peer.hear(value);
      // The table has an entry per kind, each for its own messages.
      (heard[message.kind] as (message: Heard, bytes: number) => void)(message, bytes);
      return step();
    },
    end() {
      chronicle.end();
      return step();
    },
  };
}
