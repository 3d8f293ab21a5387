/** `glassbox serve`: stays until it is stopped, and ends what was started here before it goes. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { AGENTS } from '../agent/index.js';
import type { AgentInfo } from '../client/index.js';
import { defaultsFor, findProgram, type Settings, thisMachine } from '../run/index.js';
import { startServer } from '../server/index.js';
import { safe } from '../view/text/index.js';
import type { ServeFlags } from './command/serve.js';
import type { Context } from './context.js';
import { createInterrupt } from './interrupt.js';
import { note } from './note.js';
import { openBrowser } from './open-browser.js';
import { configurationFor, tellOfRules } from './run-request.js';
import { withStore } from './with-store.js';

export async function servePage(this: Context, flags: ServeFlags): Promise<void> {
  const { process, programDir } = this;
  const { env, platform, stdout, stderr } = process;
  const cwd = process.cwd();
  const { settings } = await configurationFor(cwd, process);
  await withStore(flags, async (store) => {
    const server = await startServer({
      store,
      projects: (flags.project ?? [cwd]).map((directory) => path.resolve(directory)),
      readOnly: flags.readOnly ?? false,
      runDefaults: async (run) => {
        const configuration = await configurationFor(run.cwd, process);
        tellOfRules(configuration, process);
        // Somebody who looks at a page may be away for longer than anybody would wait at a terminal.
        return { approvalTimeoutMs: 0, ...defaultsFor(configuration.settings, run.agent) };
      },
      agents: () => agentsHere(settings, { env, cwd }),
      pageFolder: fileURLToPath(new URL('web', programDir)),
      version: packageJson.version,
      log: (text) => note(stderr, text),
      ...(flags.host !== undefined && { host: flags.host }),
      ...(flags.port !== undefined && { port: flags.port }),
      ...(flags.allowHost && { allowHosts: flags.allowHost }),
    });
    using interrupt = createInterrupt(process);
    stdout.write(`Open this link to log a browser in; it works once:\n\n  ${safe(server.createLoginLink())}\n\n`);
    if (flags.open ?? (stdout.isTTY === true && !env.CI)) openBrowser(server.createLoginLink(), platform);
    await aborted(interrupt.signal);
    note(stderr, 'ending what was started here; Ctrl-C again does not wait.');
    await server.close();
    process.exitCode = interrupt.status() === 143 ? 143 : 0;
  });
}

function agentsHere(settings: Settings, { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string }): Promise<AgentInfo[]> {
  return Promise.all(
    AGENTS.map(async ({ name, title, program, capabilities }) => {
      const { found } = await findProgram(program, settings.agents?.[name]?.program, thisMachine(env, cwd));
      return { name, title, installed: found, install: program.install, capabilities: { ...capabilities } };
    }),
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
