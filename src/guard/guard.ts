/**
 * The one choke point between an agent's protocol and everybody else: bounds and redaction of every event.
 *
 * Pure but for the drafts, which are fresh and belong to nobody else: a clean one passes as the same object. A text that arrives in deltas is
 * held back only as far as it may still become a secret, and is released before the end of its block.
 */
import type { Draft } from '../event/index.js';
import { refuseUnknown } from '../event/option.js';
import { type Limits, rewrite } from './bound.js';
import { withoutHiding } from './colourless.js';
import { createHeldTexts, type Delta } from './held-texts.js';
import { createIdentities } from './identity.js';
import { createInspector } from './inspect.js';
import { redactionOf } from './redact.js';
import type { Rule } from './rule.js';
import { cutUtf8, utf8Length, withoutNul } from './utf8.js';

export interface GuardOptions {
  /** False shows secrets. Default true. */
  redact?: boolean;
  /** Further rules, for secrets that only you know. */
  rules?: readonly Rule[];
  /** Longer texts are cut. Default 1 MiB. */
  maxFieldBytes?: number;
  /** Bigger events are cut. Default 4 MiB. */
  maxEventBytes?: number;
}

/** Sees every draft, and may replace it, before it is shortened and redacted; its ids are already those that everybody sees. */
export type Prepare = (draft: Draft) => Draft;

export interface Guard {
  /** The events that may be seen now: usually this one, none while a delta is held back, more when it ends a block. */
  pass(draft: Draft): Draft[];
  /** What was held back when the stream ended. */
  end(): Draft[];
  /** The agent's own id of an open approval that is shown with this one. */
  originalId(id: string): string;
}

export function createGuard(options: GuardOptions = {}, prepare: Prepare = (draft) => draft): Guard {
  refuseUnknown('guard', options, { redact: true, rules: true, maxFieldBytes: true, maxEventBytes: true });
  const limits: Limits = {
    maxFieldBytes: options.maxFieldBytes ?? 1_048_576,
    maxEventBytes: options.maxEventBytes ?? 4_194_304,
  };
  const text = options.redact === false ? undefined : redactionOf('text', options.rules);
  const held = text && createHeldTexts({ text, json: redactionOf('json', options.rules) });
  const identities = createIdentities(text?.redact);
  const needsRewrite = createInspector(limits, text?.mayChange);

  return {
    pass(given) {
      const draft = prepare(identities.show(given));
      switch (draft.type) {
        case 'text-delta':
        case 'thinking-delta':
        case 'tool-input-delta':
        case 'tool-output-delta':
          return passDelta(draft);
        default: {
          const passed: Draft[] = held?.before(draft) ?? [];
          const plain = text && draft.type === 'tool-end' ? withoutHiding(draft, text) : draft;
          passed.push(needsRewrite(plain) ? rewrite(plain, limits, text?.redact) : plain);
          return passed;
        }
      }
    },
    end: () => held?.end() ?? [],
    originalId: identities.original,
  };

  function passDelta(delta: Delta): Draft[] {
    const text = withoutNul(delta.text);
    const shown = held ? held.push(text === delta.text ? delta : { ...delta, text }) : text;
    if (shown === '' && text !== '') return [];
    const bounded = shown.length * 3 > limits.maxFieldBytes ? cutUtf8(shown, limits.maxFieldBytes) : shown;
    if (bounded.length < shown.length) {
      return [{ ...delta, text: bounded, cuts: [{ path: '/text', bytes: utf8Length(shown) }] }];
    }
    // In place: a copy has another shape, which makes everything that happens to it later three times as slow.
    if (shown !== delta.text) delta.text = shown;
    return [delta];
  }
}
