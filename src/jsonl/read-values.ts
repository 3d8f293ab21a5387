import type { ByteSource } from './byte-source.js';
import { createItemReader, type ReadOptions } from './item-reader.js';
import type { ErrorItem } from './line-decoder.js';

export interface ReadValuesOptions extends ReadOptions {
  /** Hears of each line that was skipped. */
  onSkip?: (item: ErrorItem) => void;
}

/**
 * Every value of a source, bad lines skipped. The source is closed however the loop ends; aborting ends it quietly,
 * and a source that fails throws a `GlassboxError` after the last value.
 */
export async function* readValues(
  source: ByteSource,
  options: ReadValuesOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const reader = createItemReader(source, options);
  try {
    for (let next = await reader.next(); ; next = await reader.next()) {
      if (next.done) {
        if (next.error) throw next.error;
        return;
      }
      if (next.item.kind === 'value') yield next.item.value;
      else options.onSkip?.(next.item);
    }
  } finally {
    await reader.close();
  }
}
