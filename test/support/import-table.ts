/** The table of ARCHITECTURE.md as data: which folder may import which, and which packages. */

/** Who may import whom. `x contract` stands for the types of x, and for the agents also the files beside their list. */
export const mayImport: Record<string, readonly string[]> = {
  event: [],
  jsonl: ['event'],
  ledger: ['event'],
  word: ['event'],
  presence: ['event'],
  agent: ['event', 'ledger', 'word', 'presence'],
  guard: ['event'],
  decode: ['event', 'jsonl', 'agent', 'guard'],
  session: ['event', 'ledger', 'word'],
  consent: ['event', 'word'],
  run: ['event', 'ledger', 'decode', 'consent', 'agent contract'],
  envelope: ['event', 'run'],
  store: ['event', 'ledger', 'word', 'run contract'],
  hook: ['event', 'presence', 'decode', 'consent', 'run', 'agent contract', 'store contract'],
  archive: ['event', 'jsonl', 'ledger', 'decode', 'agent contract', 'store contract'],
  observer: ['event', 'jsonl', 'presence', 'guard', 'consent', 'agent contract', 'store contract', 'archive'],
  proof: [],
  server: ['event', 'presence', 'proof', 'run', 'export', 'client contract', 'store'],
  client: ['event', 'presence', 'proof', 'store contract'],
  export: ['event', 'ledger', 'word', 'session', 'consent'],
  conform: ['event', 'jsonl', 'decode', 'agent contract'],
  'view/text': ['event', 'ledger', 'word', 'decode', 'consent'],
  'view/terminal': ['event', 'ledger', 'word', 'session', 'consent', 'view/text'],
  'view/panels': [
    'event',
    'ledger',
    'word',
    'presence',
    'session',
    'consent',
    'store contract',
    'view/text',
    'view/terminal',
  ],
  'view/web': ['event', 'presence', 'proof', 'ledger', 'word', 'session', 'consent', 'client'],
  cli: ['*'],
  /** `src/*.ts`, the doors of the package. */
  '': ['*'],
};

/** Packages that are bundled, and the only folders that may use them. */
export const packagesOf: Record<string, readonly string[]> = {
  consent: ['diff'],
  'view/text': ['fast-string-width', 'strip-ansi'],
  'view/terminal': ['fast-string-width', 'marked'],
  'view/panels': ['fast-string-width'],
  word: ['marked'],
  export: ['strip-ansi'],
  store: ['@photostructure/sqlite'],
  client: ['eventsource-parser'],
  server: ['@hono/node-server', '@hono/zod-openapi', 'hono', 'hono/http-exception'],
  cli: ['@stricli/core', 'fast-string-width'],
};
