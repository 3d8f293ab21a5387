import { describe, expect, it } from 'vitest';
import { answer } from '../fake-agent/lines.js';
import { play, processesOf, readAll, typesOf } from '../fake-agent/play.js';

describe('a run', () => {
  it('S2-01 S2-02 S2-04 gives events in order and a completion', async () => {
    const handle = play(answer('hello'));
    const events = await readAll(handle);
    expect(typesOf(events)).toEqual([
      'user-message',
      'session-start',
      'turn-start',
      'message-start',
      'text-end',
      'message-end',
      'turn-end',
      'run-end',
    ]);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(await handle.completion).toMatchObject({ reason: 'finished', text: 'hello', exitCode: 0, turns: 1 });
    expect(processesOf(handle.runId)).toEqual([]);
  });
});
