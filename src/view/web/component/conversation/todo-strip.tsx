/** What the agent still wants to do: one line, the whole list when opened. */
import { CircleCheck, CircleDashed, CircleDot } from 'lucide-preact';
import { type SessionState, selectTodos } from '../../../../session/index.js';
import { visible } from '../../text/visible.js';

const ICONS = { pending: CircleDashed, active: CircleDot, done: CircleCheck };
const WORDS = { pending: 'to do', active: 'in work', done: 'done' };

export function TodoStrip({ state, isAside }: { state: SessionState; isAside: boolean }) {
  const todos = selectTodos(state);
  if (todos.length === 0) return null;
  const done = todos.filter(({ status }) => status === 'done').length;
  const current = todos.find(({ status }) => status === 'active');
  return (
    <details class={isAside ? 'todos is-aside' : 'todos'}>
      <summary>
        <progress value={done} max={todos.length} aria-label="Tasks done" />
        <span class="faint">
          {done} of {todos.length}
        </span>
        <span class="cut">{visible(current?.text ?? (done === todos.length ? 'All done' : 'To do'))}</span>
      </summary>
      <ul>
        {todos.map(({ text, status }, index) => {
          const Icon = ICONS[status];
          return (
            <li key={index} class={`todo-${status}`}>
              <Icon size={15} aria-hidden="true" />
              <span class="sr-only">{WORDS[status]}: </span>
              {visible(text)}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
