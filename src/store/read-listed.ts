import { type AgentEvent, GlassboxError } from '../event/index.js';
import type { StoreReader } from './store.js';

/** Reads a run that was found in a record: when it is gone by now, because somebody removed it or another run tells all of it, there is nothing to read. */
export async function* readListed(
  store: Pick<StoreReader, 'read'>,
  runId: string,
  fromSeq?: number,
): AsyncGenerator<AgentEvent, void, undefined> {
  try {
    yield* store.read(runId, fromSeq);
  } catch (error) {
    if (!(error instanceof GlassboxError) || error.code !== 'not-found') throw error;
  }
}
