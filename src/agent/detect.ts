/** How sure an agent is of a stream: as sure as of the value that tells most. Some print all their lines as one list. */
export function surest(certainty: (value: unknown) => number): (values: readonly unknown[]) => number {
  return (values) => Math.max(0, ...values.flat().map(certainty));
}
