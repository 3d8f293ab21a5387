/** A conversation that is watched while it goes on: after every event it stands there as it would if all of it were drawn anew. */
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { initialState, reduce, type SessionState } from '../../src/session/index.js';
import { tabRows } from '../../src/view/panels/tab-rows.js';
import { stamped } from '../session/play.js';
import { ended, NOON, recorded, stateAfter } from './panel-person.js';

const drawn = (state: SessionState, width = 72): readonly string[] =>
  tabRows('conversation', ended('one'), { id: 'one', state, from: 0 }, { width, color: true, now: NOON });

/** Who looks after every event, and who comes only then. */
function compare(events: readonly AgentEvent[]): void {
  let state = initialState;
  const watched = events.map((event) => {
    state = reduce(state, event);
    return drawn(state);
  });
  watched.forEach((rows, index) => {
    expect(rows, `after event ${index + 1}`).toEqual(drawn(stateAfter(events.slice(0, index + 1))));
  });
}

describe('a conversation that goes on', () => {
  test.each(['asks-parallel-mixed', 'partial-tool', 'agent-progress-summaries', 'multi-block'])(
    'of a real agent: %s',
    (name) => {
      compare(recorded(name));
    },
  );

  test('reads come to stand in one line, however many there are already', () => {
    const read = (id: string) => [
      { type: 'tool-start', id, name: 'Read', kind: 'read', messageId: 'm' } as const,
      { type: 'tool-input-end', id, input: {}, summary: `${id}.ts` } as const,
      { type: 'tool-end', id, status: 'ok', output: 'x' } as const,
    ];
    const events = stamped([
      { type: 'turn-start' },
      { type: 'message-start', messageId: 'm' },
      ...read('a'),
      ...read('b'),
      ...read('c'),
    ]);
    compare(events);
    expect(drawn(stateAfter(events)).join('\n')).toContain('Read 3 files');
  });

  test('what was decided about a call that is over is told as soon as it is known', () => {
    const events = stamped([
      { type: 'turn-start' },
      { type: 'message-start', messageId: 'm' },
      { type: 'tool-start', id: 't', name: 'Bash', kind: 'execute', messageId: 'm' },
      { type: 'approval-request', id: 'q', kind: 'tool', toolId: 't', toolName: 'Bash', input: {} },
      { type: 'tool-end', id: 't', status: 'ok', output: '' },
      { type: 'text-end', messageId: 'm', index: 1, text: 'Done.' },
      { type: 'approval-resolve', id: 'q', decision: 'allow', by: 'person' },
    ]);
    compare(events);
    expect(drawn(stateAfter(events)).join('\n')).toContain('allowed');
  });

  test('another width and another session begin anew', () => {
    const [one, other] = [stateAfter(recorded('multi-block')), stateAfter(recorded('parallel-tools-one-fails'))];
    const [wide, narrow] = [drawn(one), drawn(one, 40)];
    expect(narrow).not.toEqual(wide);
    expect(drawn(other)).not.toEqual(wide);
    expect(drawn(one)).toEqual(wide);
  });
});
