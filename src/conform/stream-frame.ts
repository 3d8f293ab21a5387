/** How an agent begins, says one text a line, and ends: the frame in which hostile lines are put, so that its own SDK reads them too. */
import speeches from './stream-frame.json' with { type: 'json' };

export interface StreamFrame {
  agent: string;
  before: readonly object[];
  /** A line like no other: `n` goes into its ids. */
  say(text: string, n: number): object;
  after: readonly object[];
}

export const STREAM_FRAMES: readonly StreamFrame[] = Object.entries(speeches).map(
  ([agent, { before, line, after }]) => {
    const template = JSON.stringify(line);
    const fill = (text: string, n: number) =>
      JSON.parse(template, (_, value) => {
        if (value === '{text}') return text;
        return typeof value === 'string' ? value.replace('{n}', String(n)) : value;
      });
    return { agent, before, say: fill, after };
  },
);
