/**
 * Lines in a row that say nothing, because they cannot be read or nobody knows them: the first are told one by one, the rest are counted, and
 * one event stands for all of a kind. What is told depends on the lines alone, never on how they were cut into pieces.
 */
import type { Draft, DraftOf } from '../event/index.js';

export type Noise = DraftOf<'decode-error' | 'unknown'>;

/** Whether this is all that a line said. One that the input ended in, and one that only has a new field, is told by itself. */
export function isNoise(draft: Draft | undefined): draft is Noise {
  if (draft?.type === 'unknown') return draft.field === undefined;
  return draft?.type === 'decode-error' && draft.cut === undefined;
}

export interface NoiseCounter {
  /** One more line of a row; gives what is to be told now. */
  add(noise: Noise): readonly Noise[];
  /** The row is over. */
  end(): readonly Noise[];
}

/** So many lines of a row are told as they come. */
const TOLD_LINES = 20;
/** Then it is told each time that so many were counted, or lines of so many kinds. */
const MOST_LINES = 10_000;
const MOST_KINDS = 16;
const NOTHING: readonly Noise[] = [];

export function createNoiseCounter(): NoiseCounter {
  let counted: Counted[] = [];
  let told = 0;
  let lines = 0;

  function take(): Noise[] {
    const all = counted.map(({ count, ...noise }) => (count === 1 ? noise : { ...noise, count }));
    counted = [];
    lines = 0;
    return all;
  }

  return {
    add(noise) {
      if (told < TOLD_LINES) {
        told += 1;
        return [noise];
      }
      const known = counted.find((other) => isSameKind(other, noise));
      const full = !known && counted.length === MOST_KINDS ? take() : NOTHING;
      if (known) {
        known.count += 1;
        known.bytes += noise.bytes;
      } else counted.push({ ...noise, count: 1 });
      lines += 1;
      return lines === MOST_LINES ? take() : full;
    },
    end() {
      told = 0;
      return lines === 0 ? NOTHING : take();
    },
  };
}

type Counted = Noise & { count: number };

function isSameKind(one: Noise, other: Noise): boolean {
  return nameOf(one) === nameOf(other) && subtypeOf(one) === subtypeOf(other) && isSamePlace(one, other);
}

const nameOf = (noise: Noise): string => (noise.type === 'unknown' ? noise.wireType : noise.code);
const subtypeOf = (noise: Noise): string | undefined => (noise.type === 'unknown' ? noise.wireSubtype : noise.type);

function isSamePlace(one: Noise, other: Noise): boolean {
  return one.turn === other.turn && one.parent === other.parent && one.sessionId === other.sessionId;
}
