/** An engine that tries one way after the other, as those of browsers do, and counts the characters it looks at. */
import { type Node, OTHERS, parseExpression } from '../../src/guard/expression.js';

export interface Expression {
  source: string;
  flags: string;
}

/** To find the expression at the start of a text, or to find that it is not there. */
export function stepsTaken(source: string, text: string): number {
  const engine = createEngine(parseExpression(source), text, '');
  engine.endFrom(0);
  return engine.steps();
}

/** More is as good as endless: counting stops here. */
const ENDLESS = 2_000_000;

/** To find all that a text has of the expression, one after the other from its start to its end. */
export function stepsToFindAll({ source, flags }: Expression, text: string): number {
  const tree = parseExpression(source, { flags });
  const engine = createEngine(tree, text, flags, ENDLESS);
  const isAnchored = beginsAtStart(source);
  const isPossible = (at: number) => !isAnchored || at === 0 || (flags.includes('m') && text[at - 1] === '\n');
  for (let at = 0; at <= text.length; ) {
    const end = isPossible(at) ? engine.endFrom(at) : undefined;
    at = Math.max(at + 1, end ?? 0);
  }
  return engine.steps();
}

/** Whether each of its ways begins at the start of the text, or of a line. */
function beginsAtStart(source: string): boolean {
  const depths = [...source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()|]/gs)];
  let depth = 0;
  const starts = [0];
  for (const { 0: part, index } of depths) {
    if (part === '(') depth++;
    else if (part === ')') depth--;
    else if (part === '|' && depth === 0) starts.push(index + 1);
  }
  return starts.every((start) => source[start] === '^');
}

/** Looks for the expression at one place after the other. */
function createEngine(tree: Node, text: string, flags: string, maxSteps = Infinity) {
  let steps = 0;
  return { steps: () => steps, endFrom };

  function endFrom(start: number): number | undefined {
    let end: number | undefined;
    tryAt(tree, start, false, (at) => {
      end = at;
      return true;
    });
    return end;
  }

  function tryAt(node: Node, at: number, back: boolean, then: (at: number) => boolean): boolean {
    if (steps > maxSteps) return false;
    switch (node.kind) {
      case 'one': {
        steps++;
        const code = text.charCodeAt(back ? at - 1 : at);
        return node.of[Math.min(code, OTHERS)] === 1 && then(back ? at - 1 : at + 1);
      }
      case 'sequence':
        return inOrder(back ? node.parts.toReversed() : node.parts, at, back, then);
      case 'choice':
        return node.parts.some((part) => tryAt(part, at, back, then));
      case 'repeat':
        return again(node, 0, at, back, then);
      case 'look':
        return tryAt(node.part, at, node.back, () => true) !== node.not && then(at);
      case 'end':
        steps++;
        return (at === text.length || (flags.includes('m') && text[at] === '\n')) && then(at);
      case 'edge':
        steps++;
        return then(at);
    }
  }

  function inOrder(parts: readonly Node[], at: number, back: boolean, then: (at: number) => boolean): boolean {
    const [first, ...rest] = parts;
    return first ? tryAt(first, at, back, (next) => inOrder(rest, next, back, then)) : then(at);
  }

  function again(
    node: Extract<Node, { kind: 'repeat' }>,
    count: number,
    at: number,
    back: boolean,
    then: (at: number) => boolean,
  ): boolean {
    const { part, min, max } = node;
    const more = (next: number) => (next !== at || count < min) && again(node, count + 1, next, back, then);
    return (count < max && tryAt(part, at, back, more)) || (count >= min && then(at));
  }
}
