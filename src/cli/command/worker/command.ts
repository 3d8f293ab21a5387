/** `glassbox worker`: this machine takes jobs from a hub. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { hubFlags } from '../../flag/hub-flag.js';
import { parseList } from '../../flag/parse-list.js';
import { parseText } from '../../flag/parse-text.js';
import type { HubFlags } from '../../hub.js';

export interface WorkerFlags extends HubFlags {
  readonly labels?: string[];
  readonly max?: number;
  readonly name?: string;
  readonly file?: string;
}

export const worker = buildCommand<WorkerFlags, [], Context>({
  docs: {
    brief: 'Do the work of a hub on this machine',
    fullDescription: `Takes jobs from a hub, runs them here, and brings every event to it; questions are answered on the hub. Which projects it knows,
and where they are, stands in a file of its own, worker.json beside your glassbox.json:

  { "projects": { "shop": "/srv/shop", "blog": "/srv/blog" }, "labels": ["gpu"], "permission": "ask" }

A job names one of these projects. A program, arguments, an environment, a directory, or more than "permission" allows are refused
here, whatever the hub says; bypass is never allowed. What the hub does not hear of waits on disk.

  glassbox worker --hub https://hub.example --token-file worker.token
  glassbox worker --hub https://hub.example --labels linux,gpu --max 4 --name builder-1

The token is made on the hub: glassbox token create builder-1 --runner. Ctrl-C ends what runs here, then the worker.`,
  },
  parameters: {
    flags: {
      ...hubFlags,
      labels: {
        kind: 'parsed',
        parse: parseList,
        optional: true,
        placeholder: 'list',
        brief: 'What it has, so that work can be sent to it: linux,gpu',
      },
      max: {
        kind: 'parsed',
        parse: parseMax,
        optional: true,
        placeholder: 'n',
        brief: 'How many jobs at a time (default: 1)',
      },
      name: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'name',
        brief: 'By which it is known (default: the name of this machine)',
      },
      file: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'file',
        brief: 'Its own file (default: worker.json beside your glassbox.json)',
      },
    },
  },
  loader: async () => (await import('./do-work.js')).doWork,
});

function parseMax(written: string): number {
  const max = Number(written);
  if (!Number.isInteger(max) || max < 1 || max > 1000)
    throw new SyntaxError(`Write a number from 1 to 1000, not ${written}`);
  return max;
}
