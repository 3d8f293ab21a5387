/** Light, dark, or as the system has it; this browser remembers it. */
import { keptChoice } from './kept-choice.js';

export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

export const $theme = keptChoice<Theme>('theme', THEMES, 'system');

export function followTheme(): void {
  $theme.subscribe((theme) => {
    document.documentElement.dataset.theme = theme;
  });
}
