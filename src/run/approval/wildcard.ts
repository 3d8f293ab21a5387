/**
 * Matches a whole text against letters and wildcards, in time linear in the text, whatever both are: every place of the
 * pattern that the text so far may have reached is kept, so that nothing is ever tried again. An expression with
 * several stars would try them in all combinations, and what it is matched with is written by an agent.
 */

type Fits = (letter: string) => boolean;

export type Part =
  /** These letters. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one' | 'many'; readonly of: Fits }
  /** All of these or nothing. */
  | { readonly kind: 'optional'; readonly parts: readonly Part[] };

export const anything: Fits = () => true;

export function createWildcard(parts: readonly Part[], { ignoresCase = false } = {}): (text: string) => boolean {
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  const steps: Step[] = [];
  for (const part of parts) add(part);
  const end = steps.length;

  return (text) => {
    /** Up to which letter a place is known to be reached. */
    const reached = new Int32Array(end + 1).fill(-1);
    let places = reach([0], reached, 0);
    let at = 0;
    for (const letter of fold(text)) {
      if (places.length === 0) return false;
      at++;
      places = reach(next(places, letter), reached, at);
    }
    return places.includes(end);
  };

  function add(part: Part): void {
    switch (part.kind) {
      case 'text':
        for (const letter of fold(part.text)) steps.push({ fits: (other) => other === letter });
        break;
      case 'one':
        steps.push({ fits: part.of });
        break;
      case 'many':
        steps.push({ fits: part.of, isRepeated: true });
        break;
      case 'optional': {
        const skip: Step = {};
        steps.push(skip);
        for (const inner of part.parts) add(inner);
        skip.skipTo = steps.length;
        break;
      }
    }
  }

  function next(places: readonly number[], letter: string): number[] {
    const further: number[] = [];
    for (const place of places) {
      const step = steps[place];
      if (step?.fits?.(letter)) further.push(step.isRepeated ? place : place + 1);
    }
    return further;
  }

  /** The places themselves, each once, and those that can be reached without a letter. */
  function reach(from: readonly number[], reached: Int32Array, at: number): number[] {
    const waiting = [...from];
    const places: number[] = [];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (reached[place] === at) continue;
      reached[place] = at;
      places.push(place);
      const step = steps[place];
      if (step?.isRepeated || step?.skipTo !== undefined) waiting.push(place + 1);
      if (step?.skipTo !== undefined) waiting.push(step.skipTo);
    }
    return places;
  }
}

interface Step {
  fits?: Fits;
  isRepeated?: boolean;
  /** Needs no letter, and leads to the next place or to this one. */
  skipTo?: number;
}
