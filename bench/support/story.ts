/** Made-up runs of an ordinary shape and size: an agent that talks, calls tools and reads what they return. About 330 bytes an event. */
import type { AgentEvent, Payload } from '../../src/event/index.js';

export const WORDS = 60_000;

export interface Stories {
  /** The events of a run; every call tells something else. */
  run(number: number, length: number): AgentEvent[];
}

export function createStories(seed = 1): Stories {
  let state = seed;
  const random = () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  /** As in any language, a few words are everywhere and most are rare. */
  const sentence = (length: number) =>
    Array.from({ length }, () => wordOf(Math.floor(WORDS ** random()) - 1)).join(' ');

  return {
    run(number, length) {
      const payloads: Payload[] = [{ type: 'session-start', model: 'big', cwd: `/work/project${number % 20}` }];
      for (let step = 0; payloads.length < length; step += 1) {
        const [messageId, id] = [`m${step}`, `t${step}`];
        if (step % 30 === 0) payloads.push({ type: 'turn-start' }, { type: 'user-message', text: sentence(12) });
        payloads.push(
          { type: 'message-start', messageId, model: 'big' },
          { type: 'text-end', messageId, index: 0, text: sentence(30) },
          { type: 'tool-start', id, name: ['Bash', 'Read', 'Edit'][step % 3] ?? '', kind: 'execute', messageId },
          { type: 'tool-input-end', id, input: { command: sentence(8) }, summary: '' },
          { type: 'message-end', messageId, usage: { inputTokens: 5, outputTokens: 7 } },
          { type: 'tool-end', id, status: 'ok', output: sentence(60) },
        );
        const cost = { usd: 0.01 * (step + 1), scope: 'process', origin: 'reported' } as const;
        if (step % 30 === 29) payloads.push({ type: 'turn-end', outcome: 'success', cost });
      }
      const context = { runId: `run-${number}`, agent: 'fake', sessionId: `session-${number}`, turn: 1 };
      const startedAt = 1.7e12 + number * 1e7;
      return payloads.slice(0, length).map((payload, index) => {
        const stamp = { seq: index + 1, at: startedAt + index, source: 'stream' };
        return { ...payload, ...context, ...stamp } as AgentEvent;
      });
    },
  };
}

export function wordOf(number: number): string {
  return `w${number.toString(36)}x`;
}
