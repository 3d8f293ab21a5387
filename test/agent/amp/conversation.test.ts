import { describe, expect, it } from 'vitest';
import { amp } from '../../../src/agent/amp/index.js';
import { converse, ofType, requestFor } from '../drive.js';

const user = (text: string) => ({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } });
const assistant = (text: string, stop_reason: string) => ({
  type: 'assistant',
  message: { type: 'message', role: 'assistant', content: [{ type: 'text', text }], stop_reason },
});
const result = { type: 'result', subtype: 'success', is_error: false, num_turns: 2, result: 'two' };

describe('a conversation with Amp', () => {
  it('ends a turn with the last word of its answer, because the one result comes when the input is closed', () => {
    const { hear, start, end, events, protocol } = converse(amp, requestFor({ mode: 'conversation', prompt: 'first' }));
    start();
    hear(user('first'));
    hear(assistant('I will look.', 'tool_use'));
    expect(ofType(events, 'turn-end')).toEqual([]);
    expect(protocol.idle()).toBe(false);
    hear(assistant('one', 'end_turn'));
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'success', text: 'one', turn: 1 }]);
    expect(protocol.idle()).toBe(true);
    hear(user('second'));
    hear(assistant('two', 'end_turn'));
    hear(result);
    end();
    expect(ofType(events, 'turn-end')).toMatchObject([{ turn: 1 }, { outcome: 'success', text: 'two', turn: 2 }]);
  });

  it('tells of a failure behind the last turn', () => {
    const { hear, start, end, events } = converse(amp, requestFor({ mode: 'conversation', prompt: 'first' }));
    start();
    hear(user('first'));
    hear(assistant('one', 'end_turn'));
    hear({ type: 'result', subtype: 'error_during_execution', is_error: true, error: '500 boom' });
    end();
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'success' }, { outcome: 'failed' }]);
  });
});
