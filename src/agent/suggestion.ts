/** What "always" could mean, with the agent's own form of it, which is what an answer sends back. */
import type { Suggestion } from '../event/index.js';

export interface Lasting<Form> {
  suggestion: Suggestion;
  form: Form;
}

/** Whoever takes the first takes the least. */
export function narrowestFirst<Form>(lasting: readonly Lasting<Form>[]): Lasting<Form>[] {
  return [...lasting].sort((one, other) => widthOf(one.suggestion) - widthOf(other.suggestion));
}

/** For the request; absent when there is nothing to choose from. */
export function suggestionsOf(lasting: readonly Lasting<unknown>[]): Suggestion[] | undefined {
  return lasting.length === 0 ? undefined : lasting.map(({ suggestion }) => suggestion);
}

function widthOf({ allows, lasts }: Suggestion): number {
  return WIDTHS.indexOf(allows) * SPANS.length + SPANS.indexOf(lasts);
}

const WIDTHS: readonly Suggestion['allows'][] = ['command', 'path', 'host', 'directory', 'tool', 'other', 'mode'];
const SPANS: readonly Suggestion['lasts'][] = ['session', 'project', 'user', 'unknown'];
