/** Histories in which it is known who wrote every line: attribution may not know it, but never says it wrongly. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blame } from '../../src/attribution/blame.js';
import type { Maker } from '../../src/attribution/index.js';
import {
  type Deed,
  type Hand,
  type Phase,
  type PlayedFile,
  playFile,
  type TrueLine,
  type Writer,
} from './played-file.js';

const deed = (hands: readonly Hand[]): fc.Arbitrary<Deed> =>
  fc.record({
    hand: fc.constantFrom(...hands),
    what: fc.constantFrom('insert', 'delete', 'replace', 'word', 'whole', 'revert', 'copy', 'twin'),
    at: fc.nat(40),
    size: fc.integer({ min: 1, max: 4 }),
  });

const history = (hands: readonly Hand[]): fc.Arbitrary<Phase[]> =>
  fc.array(
    fc.record({
      isTurn: fc.boolean(),
      isLate: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
      deeds: fc.array(deed(hands), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 7 },
  );

/** The same ones for every commit, and more where they are asked for. */
const CONTROLS = Number(process.env.GLASSBOX_CONTROLS ?? 400);

const ALL: readonly Hand[] = ['agent', 'agent', 'agent', 'failing agent', 'echo', 'command', 'person'];

/** What is claimed, in the words of the truth; undefined where nothing is. */
function claimOf(maker: Maker | undefined): Writer | undefined {
  switch (maker?.by) {
    case 'older':
      return 'older';
    case 'call':
      return `${maker.isWhole ? 'whole' : 'call'} ${maker.call.toolId}`;
    case 'outside':
      return `outside ${maker.after?.turn ?? 0}`;
    default:
      return undefined;
  }
}

/** Of lines that read the same, as brackets and copies, it must be true that the named one wrote such a line here. */
function isTrue(claim: Writer, { text, writers }: TrueLine, { wrote, copied }: PlayedFile): boolean {
  return writers.has(claim) || (copied.has(text) && wrote.get(text)?.has(claim) === true);
}

test('J 4: nobody is ever named falsely, whoever wrote beside the agent, before, after and while it worked', () => {
  let [known, all] = [0, 0];
  fc.assert(
    fc.property(history(ALL), (phases) => {
      const played = playFile(phases);
      const { steps, lines } = played;
      const { makers, lines: seen } = blame(steps);
      expect(seen).toEqual(lines.map(({ text }) => text));
      for (const [at, line] of lines.entries()) {
        const claim = claimOf(makers[at]);
        all += 1;
        if (claim === undefined) continue;
        known += 1;
        if (!isTrue(claim, line, played))
          throw new Error(`line ${at + 1} "${line.text}" is by ${[...line.writers].join()}, not by ${claim}`);
      }
    }),
    { numRuns: CONTROLS, seed: 14 },
  );
  // A check that claims nothing would find nothing false.
  expect(known / all).toBeGreaterThan(0.5);
});

test('where only the agent edits, and people between its turns, every line that is not like another is known', () => {
  fc.assert(
    fc.property(history(['agent', 'echo', 'failing agent']), (phases) => {
      const { steps, lines } = playFile(phases.map((phase) => ({ ...phase, isLate: false })));
      const { makers } = blame(steps);
      for (const [at, { text }] of lines.entries()) {
        const isAlone = lines.filter((line) => line.text === text).length === 1 && text.length > 5;
        const maker = makers[at];
        if (isAlone && maker?.by === 'unknown') expect(maker.why).toBe('alike');
      }
    }),
    { numRuns: CONTROLS / 2, seed: 14 },
  );
});
