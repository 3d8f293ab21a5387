/**
 * The fields that agents' lines have in the recordings of this repository or by the word of their makers, by agent, kind of line and place in it.
 * `npm run recordings:update` writes the table; what a new version of an agent adds is seen in its difference.
 */
import { lookUp } from './field.js';
import table from './known-fields.json' with { type: 'json' };

/** From `shapeKey` to fields. */
export type KnownFields = ReadonlyMap<string, ReadonlySet<string>>;

/** Undefined for an agent of which there are no recordings. */
export function knownFieldsOf(agent: string): KnownFields | undefined {
  const shapes = lookUp<Readonly<Record<string, string>>>(table, agent);
  return shapes && new Map(Object.entries(shapes).map(([shape, fields]) => [shape, new Set(fields.split(' '))]));
}

export const shapeKey = (kind: string, place: string): string => (place === '' ? kind : `${kind} ${place}`);
