/** `glassbox serve`: the web page, for all sessions of this machine. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parsePort } from '../../flag/parse-port.js';
import { parseText } from '../../flag/parse-text.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface ServeFlags extends StoreFlag {
  readonly port?: number;
  readonly host?: string;
  readonly project?: string[];
  readonly allowHost?: string[];
  readonly readOnly?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: boolean;
  readonly insecure?: boolean;
  readonly log?: 'text' | 'json';
  readonly watch?: string[];
  readonly noWatch?: boolean;
  readonly open?: boolean;
  readonly link?: boolean;
  readonly browsers?: boolean;
  readonly forget?: string;
}

const text = { kind: 'parsed', parse: parseText, optional: true } as const;

export const serve = buildCommand<ServeFlags, [], Context>({
  docs: {
    brief: 'Watch, start and answer agents in a web page',
    fullDescription: `Serves the page on this machine and prints a link that logs one browser in, also for the next start. Agents may be
started only in the directories that are named. Ctrl-C ends the agents that were started here, then the server.

  glassbox serve                                 agents may work in this directory
  glassbox serve --project ~/shop --project ~/blog
  glassbox serve --read-only --port 8080         to look, not to touch
  glassbox serve --link                          a link for another browser, of the server that runs
  glassbox serve --browsers                      those that are logged in
  glassbox serve --forget k3x9w2ab               one of them no longer is
  glassbox serve --host 0.0.0.0 --tls-cert c.pem --tls-key k.pem    a hub for other machines (see docs/fleet.md)

Runs that were started elsewhere with glassbox run are shown too, and can be answered here. So is what the agents' own programs
do on this machine: it is read from the files that they write. With --host others could see it, so then only what --watch names is.`,
  },
  parameters: {
    flags: {
      port: { kind: 'parsed', parse: parsePort, optional: true, placeholder: 'n', brief: 'Default 4177; 0 for any' },
      host: { ...text, placeholder: 'name', brief: 'Address to listen on (default: only this machine)' },
      project: {
        ...text,
        variadic: true,
        placeholder: 'dir',
        brief: 'Where agents may be started; may be repeated (default: here)',
      },
      allowHost: {
        ...text,
        variadic: true,
        placeholder: 'name',
        brief: 'Another name by which the server may be called, for a proxy',
      },
      tlsCert: { ...text, placeholder: 'file', brief: 'Speak https, with this certificate (PEM)' },
      tlsKey: { ...text, placeholder: 'file', brief: 'The key of the certificate (PEM)' },
      behindProxy: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'A proxy in front speaks https for it',
      },
      insecure: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Show it to other machines over plain http, to look only',
      },
      log: {
        kind: 'enum',
        values: ['text', 'json'],
        optional: true,
        brief: 'Remarks as sentences (default), or as lines of JSON with every request',
      },
      readOnly: { kind: 'boolean', optional: true, withNegated: false, brief: 'Nothing can be started or answered' },
      watch: {
        ...text,
        variadic: true,
        placeholder: 'dir',
        brief: 'Follow only the sessions that agents write below this folder; may be repeated',
      },
      noWatch: { kind: 'boolean', optional: true, withNegated: false, brief: 'Follow only what glassbox started' },
      open: { kind: 'boolean', optional: true, brief: 'Open the page in the browser (default: on a terminal)' },
      link: { kind: 'boolean', optional: true, withNegated: false, brief: 'Print a link of the server that runs' },
      browsers: { kind: 'boolean', optional: true, withNegated: false, brief: 'List the browsers that are logged in' },
      forget: { ...text, placeholder: 'id', brief: 'Log a browser out; all of them: all' },
      ...storeFlag,
    },
    aliases: { p: 'port' },
  },
  loader: async () => (await import('./serve-page.js')).servePage,
});
