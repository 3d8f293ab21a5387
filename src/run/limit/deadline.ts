/**
 * A timer that lets go first what has arrived before it: a busy process runs its timers before it hears that a child has
 * left, what it printed, or what somebody answered.
 */
export interface Deadline {
  cancel(): void;
}

export function setDeadline(act: () => void, ms: number): Deadline {
  let soon: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    soon = setImmediate(act);
  }, ms);
  return {
    cancel() {
      clearTimeout(timer);
      clearImmediate(soon);
    },
  };
}
