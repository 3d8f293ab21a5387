/** A program inside a run answers nobody's questions; in a browser there is no such thing. The server looks by itself as well. */
import { GlassboxError } from '../event/index.js';

export function refuseInsideRun(): void {
  const host: unknown = Reflect.get(globalThis, 'process');
  const env: unknown = typeof host === 'object' && host !== null ? Reflect.get(host, 'env') : undefined;
  const isInside = typeof env === 'object' && env !== null && Boolean(Reflect.get(env, 'GLASSBOX_RUN_ID'));
  if (isInside) throw new GlassboxError('forbidden', 'Nobody can answer an agent from inside a run.');
}
