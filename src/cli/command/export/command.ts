/** `glassbox export [ID]`: a session as a file for others. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parseText } from '../../flag/parse-text.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

const EXPORT_FORMATS = ['html', 'markdown'] as const;

export interface ExportFlags extends StoreFlag {
  readonly format?: (typeof EXPORT_FORMATS)[number];
  readonly output?: string;
}

export const exportCommand = buildCommand<ExportFlags, [string?], Context>({
  docs: {
    brief: 'A session as one file, to read, to send or to attach',
    fullDescription: `Writes a kept session as one HTML file that needs nothing else, or as Markdown: prompts, answers, thoughts, each tool
with what it was given and returned, what it cost. Secrets were redacted when it was kept.

  glassbox export                           the latest session of this directory, as glassbox-ID.html
  glassbox export k7qd --output review.md   another one, by its id or the beginning of it, as Markdown
  glassbox export k7qd --format markdown | gh issue create --title "What it did" --body-file -

On a terminal it makes a file in this directory; in a pipe it prints the text, as --output - always does.`,
  },
  parameters: {
    flags: {
      format: {
        kind: 'enum',
        values: EXPORT_FORMATS,
        optional: true,
        brief: 'Default: markdown for an --output that ends in .md, else html',
      },
      output: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'file',
        brief: 'Where to write it; - is standard output',
      },
      ...storeFlag,
    },
    aliases: { o: 'output', f: 'format' },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          optional: true,
          placeholder: 'id',
          brief: 'Which session (default: the latest of this directory)',
        },
      ],
    },
  },
  loader: async () => (await import('./export-file.js')).exportFile,
});
