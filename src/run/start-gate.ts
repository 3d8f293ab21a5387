/** What has to come first before an agent is started: asked in the last moment, so that between it and the agent nothing else happens. */
export interface StartGate {
  startAfter(ready: Promise<unknown>): void;
  /** False when it was cancelled. Rejects when the agent must not be started. */
  mayStart(): Promise<boolean>;
  /** It was cancelled: nothing is waited for any more. */
  letGo(): void;
}

export function createStartGate(beforeStart: () => Promise<void> = async () => {}): StartGate {
  const awaited: Promise<unknown>[] = [];
  let isOver = false;
  let letGo: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return {
    startAfter(ready) {
      // Whoever cancels it first does not hear of it.
      ready.catch(() => {});
      awaited.push(ready);
    },
    async mayStart() {
      await Promise.race([Promise.all(awaited), cancelled]);
      if (!isOver) await beforeStart();
      return !isOver;
    },
    letGo() {
      isOver = true;
      letGo();
    },
  };
}
