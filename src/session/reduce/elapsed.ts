/** How long something took by the clock of the events; nobody knows when the clock was set back meanwhile, or its start was not seen. */
export function elapsedMs(startedAt: number | undefined, at: number): number | undefined {
  return startedAt === undefined || at < startedAt ? undefined : at - startedAt;
}
