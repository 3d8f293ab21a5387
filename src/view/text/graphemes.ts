/** What a person takes for one character, one after the other: what is joined to another is not torn off it. */

/** Made on first use: it costs more than all of a short command. */
let segmenter: Intl.Segmenter | undefined;

/** Pieces of a line that can be segmented by themselves, and short: engines take time by the square of the length. */
const PIECES = /[\x20-\x7e](?![^\x20-\x7e])|[\x20-\x7e]?[^\x20-\x7e]{1,512}/gu;

/** What stands in one place of a terminal, each. A letter of ASCII does, unless something follows that may be put on it. */
export function* graphemes(line: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const [run] of line.matchAll(PIECES)) {
    if (run.length === 1) yield run;
    else for (const { segment } of segmenter.segment(run)) yield segment;
  }
}
