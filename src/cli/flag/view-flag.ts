/** The flags of every command that prints a run, and what they mean for the text view. */
import type { FlagParametersForType } from '@stricli/core';
import type { TextViewOptions } from '../../view/text/index.js';
import { COLOR_CHOICES, type ColorChoice, wantsColor } from '../print/color.js';

export interface ViewFlags {
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly text: boolean;
  readonly thinking?: boolean;
  readonly progress?: boolean;
  readonly json?: boolean;
  readonly color: ColorChoice;
}

const off = { kind: 'boolean', optional: true } as const;

export const viewFlags: FlagParametersForType<ViewFlags> = {
  verbose: { ...off, brief: 'Also what the tools returned, retries, background tasks, and a summary at the end' },
  quiet: { ...off, brief: 'Only errors, questions and endings' },
  text: { kind: 'boolean', default: true, brief: 'What the agent says' },
  thinking: { ...off, brief: 'Also what the agent thinks, where it shows it' },
  progress: { ...off, brief: 'Also every step in between: session, status, hooks, unknown lines' },
  json: { ...off, brief: 'Neutral events instead of text, one JSON object a line' },
  color: {
    kind: 'enum',
    values: COLOR_CHOICES,
    default: 'auto',
    brief: 'Colours; NO_COLOR and FORCE_COLOR are honoured',
  },
};

export const viewAliases = { V: 'verbose', q: 'quiet' } as const;

export function textViewOptions(
  flags: ViewFlags,
  { stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>,
): TextViewOptions {
  return {
    verbose: flags.verbose ?? false,
    quiet: flags.quiet ?? false,
    showText: flags.text,
    thinking: flags.thinking ?? false,
    progress: flags.progress ?? false,
    color: wantsColor(flags.color, stdout, env),
    ...(stdout.isTTY && { width: stdout.columns }),
  };
}
