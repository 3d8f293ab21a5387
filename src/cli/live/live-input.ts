/**
 * What is typed while an agent works: a line that survives everything around it, said when the agent can hear it. Until then it waits and can
 * be taken back.
 */

import { EMPTY_LINE, editLine, type InputLine, lineOf, mention, mentionAt } from '../../view/terminal/input-line.js';
import { inputRows } from '../../view/terminal/input-rows.js';
import type { Key } from '../../view/terminal/key.js';
import { styled } from '../../view/terminal/styled.js';
import { cutToWidth } from '../../view/text/cut-to-width.js';
import { safe, safeLine } from '../../view/text/safe.js';
import { wrap } from '../../view/text/wrap.js';

export interface LiveInput {
  press(key: Key): void;
  isEmpty(): boolean;
  /** So many lines wait to be said. */
  waiting(): number;
  /** The agent can hear them now; false when there are none. */
  sayAll(): boolean;
  /** What was neither said nor taken back, for who goes on with it. */
  unsaid(): string[];
  remark(text: string): void;
  /** `isLasting`: the line is shown also while it is empty. */
  rows(look: { width: number; color: boolean; isLasting?: boolean }): string[];
}

export interface LiveInputOptions {
  /** Says it; gives back what to tell the person, or undefined when it was said. */
  say(text: string): string | undefined;
  /** What is typed now waits until the agent can hear it. */
  canWait(): boolean;
  /** What stands in it at first. */
  begun?: string;
  /** What was said before, the oldest first. */
  history: readonly string[];
  /** Somebody entered it. */
  typed?: ((text: string) => void) | undefined;
  /** Files that an `@` can name. */
  files(): Promise<readonly string[]>;
  onChange(): void;
}

const MOST_ROWS = 6;
const MOST_FILES = 5;

export function createLiveInput(options: LiveInputOptions): LiveInput {
  const { say, canWait, begun = '', history, typed, files, onChange } = options;
  let line = lineOf(begun);
  let remark: string | undefined;
  const queue: string[] = [];
  const said = [...history];
  /** Where in what was said one looks, and what was typed before. */
  let past: { at: number; line: InputLine } | undefined;
  let known: readonly string[] | undefined;

  function press(key: Key): void {
    remark = undefined;
    if (key.name === 'enter') enter();
    else if (key.name === 'up' && line.text === '' && queue.length > 0) takeBack();
    else if (key.name === 'up') look(-1);
    else if (key.name === 'down') look(1);
    else if (key.name === 'tab') complete();
    else set(editLine(line, key) ?? line);
  }

  function set(next: InputLine): void {
    if (next.text !== line.text) past = undefined;
    line = next;
    if (known === undefined && mentionAt(line) !== undefined) void learn();
  }

  async function learn(): Promise<void> {
    known = [];
    known = await files().catch(() => []);
    onChange();
  }

  function enter(): void {
    const { text } = line;
    if (text.trim() === '') return;
    if (canWait()) queue.push(text);
    else {
      remark = say(text);
      if (remark !== undefined) return;
      remark = `said: ${text}`;
    }
    said.push(text);
    typed?.(text);
    set(EMPTY_LINE);
  }

  function takeBack(): void {
    const text = queue.pop() ?? '';
    said.splice(said.lastIndexOf(text), 1);
    set(lineOf(text));
  }

  /** Older or newer; behind the newest stands what was being typed. */
  function look(by: number): void {
    const from = past ?? { at: said.length, line };
    const at = from.at + by;
    if (at < 0 || at > said.length) return;
    line = at === said.length ? from.line : lineOf(said[at] ?? '');
    past = at === said.length ? undefined : { at, line: from.line };
  }

  function complete(): void {
    const [first] = matching();
    if (first !== undefined) set(mention(line, first));
  }

  function matching(): string[] {
    const begun = mentionAt(line)?.toLowerCase();
    if (begun === undefined || !known) return [];
    const named = known.filter((file) => file.toLowerCase().includes(begun));
    // Those whose name begins so are meant rather than those that hold it somewhere.
    const isNear = (file: string) => file.toLowerCase().startsWith(begun) || nameOf(file).startsWith(begun);
    return [...named.filter(isNear), ...named.filter((file) => !isNear(file))].slice(0, MOST_FILES);
  }

  function sayAll(): boolean {
    const texts = queue.splice(0);
    for (const [index, text] of texts.entries()) {
      remark = say(text);
      if (remark === undefined) continue;
      // It stays with the person.
      set(lineOf([...texts.slice(index), line.text].filter(Boolean).join('\n')));
      return false;
    }
    return texts.length > 0;
  }

  return {
    press,
    isEmpty: () => line.text === '',
    waiting: () => queue.length,
    sayAll,
    unsaid: () => [...queue, line.text].filter((text) => text.trim() !== ''),
    remark(text) {
      remark = text;
    },
    rows({ width, color, isLasting = false }) {
      const quiet = (text: string) => styled(cutToWidth(text, width), ['dim'], color);
      return [
        ...(remark === undefined ? [] : remarkRows(remark, width)),
        ...queue.map((text, index) =>
          quiet(`   ↳ ${safeLine(text, 300)}${index === queue.length - 1 ? '  (waits; ↑ takes it back)' : ''}`),
        ),
        ...(line.text === '' && !isLasting ? [] : inputRows(line, { width, color, mark: '> ', most: MOST_ROWS })),
        ...matching().map((file, index) => quiet(`    @${safeLine(file, 300)}${index === 0 ? '  Tab' : ''}`)),
      ];
    },
  };
}

/** In full, however narrow it is. */
const remarkRows = (text: string, width: number): string[] =>
  wrap(safe(text).replaceAll('\n', ' '), Math.max(1, width - REMARK.length)).map((row) => REMARK + row);

const REMARK = '   ';

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).toLowerCase();
