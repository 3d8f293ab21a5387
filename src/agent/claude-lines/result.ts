import { type Denial, defined } from '../../event/index.js';
import { objects, string } from '../field.js';

/** The refusals that a result lists; absent when there was none. */
export function denialsOf(value: unknown): Denial[] | undefined {
  const denials = objects(value).map(({ tool_name, tool_use_id, tool_input }) =>
    defined<Denial>({ toolName: string(tool_name) ?? 'unknown', toolId: string(tool_use_id), input: tool_input }),
  );
  return denials.length > 0 ? denials : undefined;
}
