/** What a command works with: the process that it is part of. */
import type { CommandContext } from '@stricli/core';

export interface Context extends CommandContext {
  readonly process: NodeJS.Process;
  /** Where the built programs lie, with a slash at its end. */
  readonly programDir: URL;
}
