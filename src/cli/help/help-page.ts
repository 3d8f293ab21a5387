/** The pieces that every help is made of, fitted to the width: headings, prose, examples, and names with what they mean. */
import stringWidth from 'fast-string-width';
import type { Paint } from '../../view/text/palette.js';
import { wrap } from '../../view/text/wrap.js';

export interface HelpPage {
  heading(title: string): string;
  /** Lines that begin with a space are examples and stay lines; others are one paragraph up to the next empty line. */
  prose(text: string): string[];
  /** A name and its meaning, which stands as far to the right as all `names` need; that of a long name is in the next row. */
  entries(entries: readonly Entry[], names?: readonly string[]): string[];
}

export type Entry = readonly [name: string, meaning: string];

const INDENT = '  ';
const GAP = '  ';
/** Names that are longer do not push all meanings to the right. */
const WIDEST_NAME = 33;
/** Of a meaning that is narrower nobody reads a sentence. */
const LEAST_MEANING = 24;

export function createHelpPage(width: number, paint: Paint): HelpPage {
  const rowsOf = (text: string, room: number) => wrap(text, room).map((row) => row.trimEnd());
  const indented = (rows: readonly string[], indent: string) => rows.map((row) => indent + row);

  /** `command   what it does`, as it is written where it fits. */
  function example(line: string): string[] {
    const text = line.trim();
    const found = /(?<! ) {2,}/.exec(text);
    const [code, gap] = [text.slice(0, found?.index), found?.[0] ?? ''];
    const meaning = text.slice(code.length + gap.length);
    if (stringWidth(line) <= width) return [`${INDENT}${code}${gap}${paint('quiet', meaning)}`];
    return [
      ...indented(rowsOf(code, width - 2), INDENT),
      ...indented(rowsOf(meaning, width - 6), ' '.repeat(6))
        .filter((row) => row.trim() !== '')
        .map((row) => paint('quiet', row)),
    ];
  }

  return {
    heading: (title) => paint('heading', title),

    prose(text) {
      const rows: string[] = [];
      let paragraph: string[] = [];
      const close = () => {
        if (paragraph.length > 0) rows.push(...rowsOf(paragraph.join(' '), width));
        paragraph = [];
      };
      for (const line of text.split('\n')) {
        if (line !== '' && !line.startsWith(' ')) {
          paragraph.push(line);
          continue;
        }
        close();
        rows.push(...(line === '' ? [''] : example(line)));
      }
      close();
      return rows;
    },

    entries(entries, names = entries.map(([name]) => name)) {
      const room = Math.min(WIDEST_NAME, Math.max(0, width - INDENT.length - GAP.length - LEAST_MEANING));
      const column = Math.min(room, Math.max(0, ...names.map((name) => stringWidth(name))));
      const left = INDENT.length + column + GAP.length;
      return entries.flatMap(([name, meaning]) => {
        const rows = rowsOf(meaning, Math.max(LEAST_MEANING, width - left));
        const space = column - stringWidth(name);
        if (space < 0) return [`${INDENT}${name}`, ...indented(rows, ' '.repeat(left))];
        const [first = '', ...others] = rows;
        return [`${INDENT}${name}${' '.repeat(space)}${GAP}${first}`.trimEnd(), ...indented(others, ' '.repeat(left))];
      });
    },
  };
}
