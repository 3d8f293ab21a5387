/** Codex, the command line agent of OpenAI: `exec --json` and the app-server behind one contract. */
import type { Agent } from '../agent.js';
import { createByFirstValue } from '../dialect.js';
import { isObject } from '../field.js';
import { inlineServersOnly } from '../mcp-config.js';
import { createAppServerProtocol } from './app-server.js';
import { capabilities } from './capability.js';
import { command, outputFlags, program, usesAppServer } from './command.js';
import { detect } from './detect.js';
import { createExecProtocol } from './exec.js';

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  kind: 'codex',
  envelopeIds: ['exec_stream'],
  program,
  capabilities,
  outputFlags,
  cannot: inlineServersOnly,
  detect,
  command,
  createProtocol(request) {
    if (request?.mode === undefined)
      return createByFirstValue((value) =>
        isAppServer(value) ? createAppServerProtocol() : createExecProtocol(request),
      );
    return usesAppServer(request) ? createAppServerProtocol(request) : createExecProtocol(request);
  },
};

/** The app-server prints JSON-RPC, `exec` prints typed lines. */
function isAppServer(value: unknown): boolean {
  return isObject(value) && !('type' in value) && ('method' in value || 'id' in value);
}
