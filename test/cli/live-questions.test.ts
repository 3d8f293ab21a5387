/** A question on a terminal is drawn again when its keys begin to count, however busy the machine was while it was drawn. */
import { afterEach, expect, test, vi } from 'vitest';
import { createLiveQuestions } from '../../src/cli/live/live-questions.js';
import type { EventOf } from '../../src/event/index.js';

afterEach(() => void vi.useRealTimers());

test('what came true while it was drawn is drawn too', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const times = [0, 0, 499, 900];
  const now = (): number => times.shift() ?? 900;
  const onChange = vi.fn();
  const questions = createLiveQuestions({ edit: async () => ({ problem: '' }), onChange, now });
  const request = { type: 'approval-request', id: 'q', kind: 'tool', toolName: 'Bash', agent: 'claude' };
  void questions.person.ask(request as EventOf<'approval-request'>, { canEdit: true });
  const look = { width: 80, height: 24, color: false, isLineEmpty: true };
  questions.rows(look);
  expect(questions.rows(look).join('\n')).toContain('a moment');
  onChange.mockClear();
  vi.advanceTimersByTime(1);
  expect(onChange).toHaveBeenCalledOnce();
  expect(questions.rows(look).join('\n')).toContain('one key answers');
});
