/** Work in the background, in one line. */
import type { Task } from '../../../../session/index.js';
import { count, counted, duration } from '../../../../word/index.js';
import { visible } from '../../text/visible.js';

const WORDS = { running: 'running', ok: 'done', failed: 'failed', stopped: 'stopped', unknown: 'ended unseen' };

export function TaskLine({ task }: { task: Task }) {
  const text = task.progress?.summary ?? task.summary ?? task.error ?? task.description ?? task.id;
  const facts = [
    WORDS[task.status],
    task.durationMs ? duration(task.durationMs) : '',
    task.toolUses ? counted(task.toolUses, 'step') : '',
    task.tokens ? `${count(task.tokens)} tokens` : '',
  ].filter(Boolean);
  return (
    <p class={`quiet-line ${task.status === 'failed' ? 'warning-text' : ''}`}>
      In the background: {visible(text)} ({facts.join(', ')})
    </p>
  );
}
