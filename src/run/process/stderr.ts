/** What an agent says on stderr: redacted like everything else, also where a secret comes in pieces, then passed on, its end kept. */
import { createColourless, createRedactor } from '../../decode/index.js';
import type { RunRequest } from '../request/request.js';

export interface Stderr {
  push(text: string): void;
  /** The agent is gone: what was held back is passed on. */
  end(): void;
  /** The last words. */
  tail(): string;
}

const TAIL_LENGTH = 8 * 1024;

export function createStderr({ stderr, guard }: Pick<RunRequest, 'stderr' | 'guard'>): Stderr {
  const { redact, rules } = guard === false ? { redact: false } : (guard ?? {});
  const whole = createRedactor({ redact, rules });
  const redactor = redact === false ? whole : createColourless(whole);
  let tail = '';

  function pass(text: string): void {
    if (text === '') return;
    // Cut after it was redacted: the rest of a secret that was cut in two would look like nothing.
    tail = (tail + text).slice(-TAIL_LENGTH);
    if (typeof stderr === 'function') stderr(text);
  }

  return {
    push: (text) => pass(redactor.push(text)),
    end: () => pass(redactor.end()),
    tail: () => tail,
  };
}
