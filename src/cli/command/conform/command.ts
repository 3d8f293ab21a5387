/** `glassbox conform`: how well glassbox, or any other reader, reads what agents print. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { parseDuration } from '../../flag/parse-duration.js';
import { parseText } from '../../flag/parse-text.js';
import type { ColorChoice } from '../../print/color.js';

export interface ConformFlags {
  readonly name: string;
  readonly agent?: string;
  readonly case?: string;
  readonly recordings?: string;
  readonly packages?: string;
  readonly limit: number;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly color: ColorChoice;
}

export const conform = buildCommand<ConformFlags, string[], Context>({
  docs: {
    brief: 'Score how well glassbox, or another reader, reads',
    fullDescription: `Gives each reader the same streams: recordings of real agents, and lines that readers stumble over. Asked is that every good
line is delivered, in order and once, and that a bad line does not take its neighbours. Beside glassbox it scores two ways of reading
by hand (readline, split) and those SDKs of vendors that are installed here. glassbox is scored as its pipe reads.

  glassbox conform                          the scorecard
  glassbox conform --case lines/            only the hostile lines
  glassbox conform --case claude/ --json    only these recordings, for a program
  glassbox conform -- python3 read.py       your reader, in any language

Your reader needs a driver, a small program. It gets the bytes of one stream on its standard input and prints JSON, one a line:

  {"item": …}        each value that the reader delivers, in order
  {"error": "why"}   each line that the reader calls bad; nobody has to
  {"end": true}      the reader came to the end of the stream
  {"fail": "why"}    the reader gave up

A reader that starts a program itself finds the same bytes in the file GLASSBOX_CONFORM_STREAM; whose stream it is stands in
GLASSBOX_CONFORM_AGENT. What comes of each stream:

  passed             everything that is asked
  lost               good lines did not come, or not as they were written
  wrong              lines came twice, in another order, or from nowhere
  died               the reader gave up, or its process ended without saying so
  hung               it did nothing for a while (--limit), or took twice as long; after three of those it is given no more

The exit status is 0 when your reader, or without one glassbox, passed everything, else 1.`,
  },
  parameters: {
    flags: {
      name: {
        kind: 'parsed',
        parse: parseText,
        default: 'yours',
        placeholder: 'name',
        brief: 'How the scorecard calls your reader',
      },
      agent: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'name',
        brief: 'Only the streams of this agent',
      },
      case: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'text',
        brief: 'Only streams with this in their name',
      },
      recordings: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'folder',
        brief: 'Your own recordings: FOLDER/<agent>/<case>.jsonl (default: those that came with glassbox)',
      },
      packages: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'folder',
        brief: 'Where the SDKs of vendors are installed (default: here)',
      },
      limit: {
        kind: 'parsed',
        parse: parseDuration,
        default: '5s',
        placeholder: 'time',
        brief: 'How long a reader may neither take nor deliver anything',
      },
      verbose: { kind: 'boolean', optional: true, brief: 'Every reason, not only the first of each line' },
      json: { kind: 'boolean', optional: true, brief: 'As JSON, one result a line' },
      ...colorFlag,
    },
    aliases: { V: 'verbose' },
    positional: {
      kind: 'array',
      parameter: {
        parse: String,
        placeholder: 'command',
        brief: 'Starts the driver of your reader; write -- before it',
      },
    },
  },
  loader: async () => (await import('./score-readers.js')).scoreReaders,
});
