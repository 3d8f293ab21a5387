/** No test asserts about time. These only end what hangs, on any machine, also where thirty others want the same core. */
export const HANGS_MS = 480_000;

/** For one thing to come true; a test waits for several. */
export const PATIENCE_MS = HANGS_MS / 3;
