/** Which sessions are listed, as chips in the words of the command line, and by what they are grouped. */
import { useStore } from '@nanostores/preact';
import { ListFilter, X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shorten } from '../../../../word/index.js';
import {
  $filter,
  $misuses,
  chipText,
  FILTER_NAMES,
  type Filter,
  type FilterName,
  type Grouping,
  misuseOf,
  OUTCOMES,
  STATES,
} from '../../state/filter.js';
import { keptChoice } from '../../state/kept-choice.js';
import { setFilter } from '../../state/route.js';
import { $agents, $sessions } from '../../state/sessions.js';
import { visible } from '../../text/visible.js';
import { Menu } from '../part/menu.js';

const LONGEST_MISUSE = 300;

export const $grouping = keptChoice<Grouping>('sessions by', ['none', 'project', 'host'], 'none');

/** Beside what is searched for. */
export function FilterBar({ children }: { children: ComponentChildren }) {
  const filter = useStore($filter);
  const misuses = useStore($misuses);
  const [isOpen, setOpen] = useState(false);
  const chosen = FILTER_NAMES.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]] as const]));
  const without = (name: FilterName) => {
    const { [name]: _, ...rest } = filter;
    setFilter(rest);
  };
  return (
    <>
      <div class="filters">
        {children}
        <Menu label="Filter and group" icon={<ListFilter size={16} aria-hidden="true" />} onToggle={setOpen}>
          {isOpen && <FilterForm filter={filter} />}
        </Menu>
      </div>
      {chosen.length > 0 && (
        <ul class="filter-chips" aria-label="Filters">
          {chosen.map(([name, value]) => (
            <li key={name}>
              <button type="button" class="filter-chip" onClick={() => without(name)}>
                <span class="cut">{visible(chipText(name, value))}</span>
                <X size={12} aria-label="take away" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {misuses.map((misuse) => (
        <p key={misuse} class="filter-misuse" role="note">
          <span class="grow">Not looked for. {visible(shorten(misuse, LONGEST_MISUSE))}.</span>
          <button
            type="button"
            class="icon-button"
            aria-label="take away"
            onClick={() => $misuses.set(misuses.filter((one) => one !== misuse))}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </p>
      ))}
    </>
  );
}

/** Values of a flag that are offered; any other one can be in the address. */
function FilterForm({ filter }: { filter: Filter }) {
  const grouping = useStore($grouping);
  const agents = useStore($agents).map(({ name }) => name);
  const sessions = Object.values(useStore($sessions));
  const used = [...new Set(sessions.map(({ agent }) => agent))].sort();
  const projects = [...new Set(sessions.flatMap(({ cwd }) => cwd ?? []))].sort();
  const [cost, setCost] = useState(filter['min-cost'] ?? '');
  const set = (name: FilterName, value: string) => {
    const { [name]: _, ...rest } = filter;
    setFilter(value === '' ? rest : { ...rest, [name]: value });
  };
  const setLeast = () => {
    const least = cost.trim();
    const misuse = least === '' ? undefined : misuseOf('min-cost', least);
    $misuses.set(misuse === undefined ? [] : [misuse]);
    if (misuse === undefined && least !== (filter['min-cost'] ?? '')) set('min-cost', least);
  };
  const choice = (name: FilterName, values: readonly string[]) => (
    <label class="filter-choice">
      <span>{name}</span>
      <select value={filter[name] ?? ''} onChange={(event) => set(name, event.currentTarget.value)}>
        <option value="">any</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {visible(value)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        setLeast();
      }}
    >
      {choice('state', STATES)}
      {choice('outcome', OUTCOMES)}
      {choice('agent', used.length > 0 ? used : agents)}
      {choice('project', projects)}
      {choice('since', ['today', 'yesterday', '24h', '7d', '4w'])}
      <label class="filter-choice">
        <span>min-cost</span>
        <input
          inputMode="decimal"
          placeholder="any"
          value={cost}
          onInput={(event) => setCost(event.currentTarget.value)}
          onBlur={setLeast}
        />
      </label>
      {(['pinned', 'archived'] as const).map((name) => (
        <label key={name} class="filter-check">
          <input
            type="checkbox"
            checked={filter[name] !== undefined}
            onChange={(event) => set(name, event.currentTarget.checked ? 'yes' : '')}
          />
          {name}
        </label>
      ))}
      <label class="filter-choice">
        <span>group by</span>
        <select value={grouping} onChange={(event) => $grouping.set(event.currentTarget.value as Grouping)}>
          <option value="none">nothing</option>
          <option value="project">project</option>
          <option value="host">host</option>
        </select>
      </label>
    </form>
  );
}
