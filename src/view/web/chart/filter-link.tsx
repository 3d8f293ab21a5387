/** Leads to the same page for other sessions; the list beside it shows them. */
import type { ComponentChildren } from 'preact';
import { type Filter, withFilter } from '../state/filter.js';
import { setFilter } from '../state/route.js';

interface Props {
  filter: Filter;
  children: ComponentChildren;
}

export function FilterLink({ filter, children }: Props) {
  const { pathname, search } = withFilter(new URL(location.href), filter);
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setFilter(filter);
  };
  return (
    <a href={pathname + search} onClick={follow}>
      {children}
    </a>
  );
}
