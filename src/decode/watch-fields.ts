/** Drift of fields: tells once in a run of each field that no recording of the agent has. The lines themselves are read as ever. */
import { isObject } from '../agent/field.js';
import type { Agent, Protocol, Step } from '../agent/index.js';
import { type KnownFields, knownFieldsOf, shapeKey } from '../agent/known-fields.js';
import { visitObjects } from '../agent/wire-shape.js';
import { type Draft, defined } from '../event/index.js';

/** The agent, whose protocol tells of such fields with `unknown` events. For what is kept: nobody else counts them. */
export function watchFields(agent: Agent): Agent {
  const known = knownFieldsOf(agent.name);
  return known ? { ...agent, createProtocol: (request) => watchProtocol(agent.createProtocol(request), known) } : agent;
}

/** How many lines of one kind are looked at; after that one of so many, because lines of a kind are alike and some kinds are very many. */
const LOOK_FIRST = 32;
const LOOK_SELDOM = 32;
/** A stream of nonsense must not tell without end. */
const MOST_TOLD = 100;
const MOST_KINDS = 1000;
/** A field has a name; what is none may be data. */
const NAME = /^[A-Za-z_]\w{0,39}$/;

function watchProtocol(protocol: Protocol, known: KnownFields): Protocol {
  const told = new Set<string>();
  const seen = new Map<string, number>();
  let place: Pick<Draft, 'sessionId' | 'turn'> = { turn: 0 };

  return {
    ...protocol,
    receive(value, bytes) {
      const step = protocol.receive(value, bytes);
      const last = step.events.at(-1);
      if (last) place = defined({ sessionId: last.sessionId, turn: last.turn });
      const strange = isWorthALook(value) ? strangeFields(value) : NONE;
      return strange.length === 0 ? step : withDrafts(step, strange, bytes);
    },
  };

  function isWorthALook(value: unknown): boolean {
    if (!isObject(value) || told.size >= MOST_TOLD) return false;
    const name = value.subtype ?? value.type ?? value.method;
    // A stream without names, or with endless ones, is one kind.
    const kind = typeof name === 'string' && (seen.size < MOST_KINDS || seen.has(name)) ? name : '';
    const count = seen.get(kind) ?? 0;
    seen.set(kind, count + 1);
    return count < LOOK_FIRST || count % LOOK_SELDOM === 0;
  }

  function strangeFields(value: unknown): Strange[] {
    const found: Strange[] = [];
    visitObjects(value, (kind, at, object) => {
      const fields = known.get(shapeKey(kind, at));
      if (!fields) return;
      for (const field in object) {
        if (fields.has(field) || !NAME.test(field) || told.size >= MOST_TOLD) continue;
        const strange = { kind, field: at === '' ? field : `${at}.${field}` };
        const name = `${strange.kind} ${strange.field}`;
        if (told.has(name)) continue;
        told.add(name);
        found.push(strange);
      }
    });
    return found;
  }

  function withDrafts({ events, send }: Step, strange: readonly Strange[], bytes: number): Step {
    const drafts = strange.map(({ kind, field }): Draft => {
      const [, wireType = kind, wireSubtype] = /^([^/]*)\/(.*)$/s.exec(kind) ?? [];
      return { type: 'unknown', wireType, ...(wireSubtype !== undefined && { wireSubtype }), field, bytes, ...place };
    });
    return { events: [...events, ...drafts], send };
  }
}

const NONE: readonly Strange[] = [];

interface Strange {
  kind: string;
  field: string;
}
