/**
 * Whether the list of sessions is open. Where there is room that is remembered; where there is little, it lies over the page, is closed to begin
 * with, and closes when something was chosen.
 */
import { atom, computed } from 'nanostores';
import { keptChoice } from './kept-choice.js';
import { $route } from './route.js';

/** As in the style sheets. */
const NARROW = '(max-width: 1023px)';

const $isNarrow = atom(false);
const $isWideOpen = keptChoice<'yes' | 'no'>('list open', ['yes', 'no'], 'yes');
const $isDrawerOpen = atom<'yes' | 'no'>('no');

export const $isListOpen = computed([$isNarrow, $isWideOpen, $isDrawerOpen], (isNarrow, wide, drawer) =>
  isNarrow ? drawer : wide,
);

export function openList(open: 'yes' | 'no'): void {
  ($isNarrow.get() ? $isDrawerOpen : $isWideOpen).set(open);
}

export function watchRoom(): void {
  const room = matchMedia(NARROW);
  const look = () => {
    $isNarrow.set(room.matches);
    $isDrawerOpen.set('no');
  };
  room.addEventListener('change', look);
  look();
  $route.listen(() => $isDrawerOpen.set('no'));
  // Listens from the beginning, so before the conversation, which Escape must not interrupt then.
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || $isDrawerOpen.get() === 'no') return;
    event.preventDefault();
    $isDrawerOpen.set('no');
  });
}
