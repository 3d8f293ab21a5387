/**
 * The one choke point between an agent's protocol and everybody else: bounds and redaction of every event.
 *
 * Pure, and never changes what it is given: a clean event passes as the same object. A text that arrives in deltas is
 * held back only as far as it may still become a secret, and is released before the end of its block.
 */
import type { Draft } from '../event/index.js';
import { type Limits, rewrite } from './bound.js';
import { createHold, type Delta } from './hold.js';
import { createInspector } from './inspect.js';
import { redactionOf } from './redact.js';
import type { Rule } from './rules.js';
import { cutUtf8, utf8Length } from './utf8.js';

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

export interface Guard {
  /** The events that may be seen now: usually this one, none while a delta is held back, more when it ends a block. */
  pass(draft: Draft): Draft[];
  /** What was held back when the stream ended. */
  end(): Draft[];
}

export function createGuard(options: GuardOptions = {}): Guard {
  const limits: Limits = {
    maxFieldBytes: options.maxFieldBytes ?? 1_048_576,
    maxEventBytes: options.maxEventBytes ?? 4_194_304,
  };
  const text = options.redact === false ? undefined : redactionOf('text', options.rules);
  const hold = text && createHold({ text, json: redactionOf('json', options.rules) });
  const needsRewrite = createInspector(limits, text?.mayChange);

  return {
    pass(draft) {
      switch (draft.type) {
        case 'text-delta':
        case 'thinking-delta':
        case 'tool-input-delta':
        case 'tool-output-delta':
          return passDelta(draft);
        default: {
          const passed: Draft[] = hold?.before(draft) ?? [];
          passed.push(needsRewrite(draft) ? rewrite(draft, limits, text?.redact) : draft);
          return passed;
        }
      }
    },
    end: () => hold?.end() ?? [],
  };

  function passDelta(delta: Delta): Draft[] {
    const shown = hold ? hold.push(delta) : delta.text;
    if (shown === '' && delta.text !== '') return [];
    const bounded = shown.length * 3 > limits.maxFieldBytes ? cutUtf8(shown, limits.maxFieldBytes) : shown;
    if (bounded.length < shown.length) {
      return [{ ...delta, text: bounded, cuts: [{ path: '/text', bytes: utf8Length(shown) }] }];
    }
    return [shown === delta.text ? delta : { ...delta, text: shown }];
  }
}
