/**
 * What an expression costs at one place of a text, whatever the text: an engine that goes back and tries again takes at
 * most so many steps and sees at most so many characters. So a rule is known to be harmless before it meets any text.
 */
import { END, type Node, parseExpression, SYMBOLS } from './expression.js';

export interface WorstCase {
  /** Steps of an engine that tries one way after the other. */
  readonly steps: number;
  /** Characters that it may look at, from the place on. */
  readonly length: number;
}

/** More is as good as endless: counting stops here. */
const ENDLESS = 1e6;

export interface WorstCaseOptions {
  /** It must stand before the place, so the engine goes from its end to its beginning. */
  back?: boolean;
  flags?: string;
  /** How often something is repeated that has no bound. */
  unbounded?: number;
}

/** Throws a `SyntaxError` for what is no expression, or none that can be counted. */
export function worstCase(source: string, { back = false, flags, unbounded }: WorstCaseOptions = {}): WorstCase {
  const tree = parseExpression(source, { flags, unbounded });
  return { steps: most(stepsOf(tree, back, FOUND)), length: lengthOf(tree) };
}

/** The steps from a place on, for each symbol that may stand there. */
type Steps = Float64Array;

/** Nothing is missing: the engine is done, and never comes back. */
const FOUND: Steps = new Float64Array(SYMBOLS);

function stepsOf(node: Node, back: boolean, then: Steps): Steps {
  if (most(then) > ENDLESS) return then;
  switch (node.kind) {
    case 'one': {
      const further = most(then);
      return FOUND.map((_, symbol) => (node.of[symbol] === 1 ? 1 + further : 1));
    }
    case 'sequence':
      return (back ? node.parts : node.parts.toReversed()).reduce((steps, part) => stepsOf(part, back, steps), then);
    case 'choice':
      return sum(node.parts.map((part) => stepsOf(part, back, then)));
    case 'repeat':
      return repeat(node, back, then);
    case 'look':
      return lookAround(node, back, then);
    case 'end':
      return then.map((steps, symbol) => (symbol === END ? 1 + steps : 1));
    case 'edge':
      return then.map((steps) => 1 + steps);
  }
}

function repeat({ part, min, max }: Extract<Node, { kind: 'repeat' }>, back: boolean, then: Steps): Steps {
  if (max === Infinity) return FOUND.map(() => Infinity);
  let steps = then;
  for (let count = max - 1; count >= 0 && most(steps) <= ENDLESS; count--) {
    const again = stepsOf(part, back, steps);
    // Beyond the least number an engine takes nothing that is empty, and at the end of the text there is nothing else.
    steps = count >= min ? sum([again.with(END, 1), then]) : again;
  }
  return steps;
}

/** What it sees in the other direction says nothing about what comes next. */
function lookAround(node: Extract<Node, { kind: 'look' }>, back: boolean, then: Steps): Steps {
  const looked = stepsOf(node.part, node.back, FOUND);
  return node.back === back ? sum([looked, then]) : then.map((steps) => most(looked) + steps);
}

function sum(ways: readonly Steps[]): Steps {
  return FOUND.map((_, symbol) => ways.reduce((total, steps) => total + (steps[symbol] ?? 0), 1));
}

function most(steps: Steps): number {
  return Math.max(...steps);
}

function lengthOf(node: Node): number {
  switch (node.kind) {
    case 'one':
      return 1;
    case 'sequence':
      return node.parts.reduce((total, part) => total + lengthOf(part), 0);
    case 'choice':
      return Math.max(...node.parts.map(lengthOf));
    case 'repeat':
      return node.max === 0 ? 0 : node.max * lengthOf(node.part);
    case 'look':
      return lengthOf(node.part);
    case 'end':
    case 'edge':
      return 0;
  }
}
