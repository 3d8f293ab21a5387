/** One way to say that something is absent: its field is not there. `undefined` is written only where `defined` leaves it out. */

/** The same facts, where what may be absent may also be written as `undefined`. */
export type Loose<Facts> = Facts extends unknown
  ? {
      [Field in keyof Facts]: Record<never, never> extends Pick<Facts, Field> ? Facts[Field] | undefined : Facts[Field];
    }
  : never;

/** The facts without what is `undefined`; the same object when everything is there, because nearly all events are. */
export function defined<Facts extends object>(facts: NoInfer<Loose<Facts>>): Facts {
  for (const field in facts)
    if (facts[field as keyof typeof facts] === undefined)
      return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Facts;
  return facts as Facts;
}
