/** Whether the list of sessions is open; where there is little room it lies over the page, and closes when something was chosen. */
import { keptChoice } from './kept-choice.js';
import { $route } from './route.js';

export const $isListOpen = keptChoice<'yes' | 'no'>('list open', ['yes', 'no'], isNarrow() ? 'no' : 'yes');

/** As in the style sheets. */
function isNarrow(): boolean {
  return matchMedia('(max-width: 1023px)').matches;
}

export function closeDrawerOnMove(): void {
  if (isNarrow()) $isListOpen.set('no');
  $route.listen(() => {
    if (isNarrow()) $isListOpen.set('no');
  });
}
