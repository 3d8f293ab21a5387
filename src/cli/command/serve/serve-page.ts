/** `glassbox serve`: stays until it is stopped, and ends what was started here before it goes. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../../../package.json' with { type: 'json' };
import { GlassboxError } from '../../../event/index.js';
import { createSessionPresences } from '../../../observer/index.js';
import { defaultsFor, stateDirectory } from '../../../run/index.js';
import { startServer } from '../../../server/index.js';
import type { Store } from '../../../store/index.js';
import { safe } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { hubIn } from '../../hub.js';
import { createInterrupt } from '../../interrupt.js';
import { hearMachine } from '../../kept/hear-machine.js';
import { tellOfLeftovers } from '../../kept/leftover-note.js';
import { observeMachine } from '../../kept/observe-machine.js';
import { parkedSource } from '../../kept/parked-source.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { isLocal, NOT_FOLLOWED, watchMachine } from '../../kept/watch-machine.js';
import { withStore } from '../../kept/with-store.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { configurationFor, tellOfRules } from '../../run-request.js';
import { agentsHere } from './agents-here.js';
import { forgetBrowser, linkText, printBrowsers, printLink, withBrowsers } from './browser-access.js';
import type { ServeFlags } from './command.js';
import { openBrowser } from './open-browser.js';
import { announceServer, createLinkToken } from './running-server.js';

export async function servePage(this: Context, flags: ServeFlags): Promise<void> {
  const { process, programDir } = this;
  const { env, platform, stdout, stderr } = process;
  const cwd = process.cwd();
  const stateFolder = path.join(stateDirectory(env, homedir(), platform), 'server');
  const { link, browsers: lists, forget } = flags;
  if (link || lists || forget !== undefined) {
    if (link || forget !== undefined) await refuseInsideRun(link ? 'let a browser in' : 'log a browser out', flags);
    const hub = await hubIn(flags, process);
    if (link) return printLink(stateFolder, hub, stdout);
    return withBrowsers(stateFolder, hub, flags, (browsers) =>
      forget === undefined ? printBrowsers(browsers, stdout) : forgetBrowser(browsers, forget),
    );
  }
  if (!flags.readOnly) await refuseInsideRun('start a server that takes answers', flags);
  const { settings } = await configurationFor(cwd, process);
  await tellOfLeftovers(stderr);
  const logs = logsFor(flags, stderr);
  await withStore(flags, async (store) => {
    const tls = await tlsFrom(flags);
    const linkToken = createLinkToken();
    const observer = observesFor(flags, store) ? observeMachine(settings, env) : undefined;
    const server = await startServer({
      store,
      projects: (flags.project ?? [cwd]).map((directory) => path.resolve(directory)),
      readOnly: flags.readOnly ?? false,
      stateFolder,
      tokens: [{ name: 'glassbox serve --link', token: linkToken, scopes: ['administer'] }],
      allowsBypass: () => allowsBypass(cwd, process),
      runDefaults: async (run) => {
        const configuration = await configurationFor(run.cwd, process);
        tellOfRules(configuration, process);
        // Somebody who looks at a page may be away for longer than anybody would wait at a terminal.
        return { approvalTimeoutMs: 0, ...defaultsFor(configuration.settings, run.agent) };
      },
      keepsFiles: async (folder) => (await configurationFor(folder, process)).settings.checkpoints ?? true,
      copiesInto: async (folder) => (await configurationFor(folder, process)).settings.worktree?.copy ?? [],
      presences: createSessionPresences({ store, observer, parked: parkedSource(store) }),
      agents: () => agentsHere(settings, { env, cwd }),
      pageFolder: fileURLToPath(new URL('web', programDir)),
      version: packageJson.version,
      ...logs,
      ...(tls && { tls }),
      ...(flags.behindProxy && { behindProxy: true }),
      ...(flags.insecure && { insecure: true }),
      ...(flags.host !== undefined && { host: flags.host }),
      ...(flags.port !== undefined && { port: flags.port }),
      ...(flags.allowHost && { allowHosts: flags.allowHost }),
    });
    using interrupt = createInterrupt(process);
    const watched = new AbortController();
    const isWatching = watchFor(flags, store);
    if (!isWatching && !flags.noWatch) logs.log(`${NOT_FOLLOWED}; --watch DIR names what they may.`);
    const watching = isWatching
      ? watchMachine({
          store,
          settings,
          env,
          observer,
          folders: flags.watch?.map((folder) => path.resolve(folder)),
          onTrouble: ({ path: where, message }) => logs.log(`${where}: ${message}`),
          onWords: (text) => logs.log(text),
          signal: watched.signal,
        })
      : undefined;
    const hooks =
      watching &&
      (await hearMachine(
        {
          store,
          watching,
          observer,
          isAttended: () => server.attendance() > 0,
          onTrouble: (text) => logs.log(text),
        },
        process,
      ));
    const { url, key } = server;
    const unannounce = await announceServer(stateFolder, { url, key, token: linkToken });
    await print(stdout, linkText(await server.createLoginLink()));
    if (flags.open ?? (stdout.isTTY === true && !env.CI)) openBrowser(await server.createLoginLink(), platform);
    await aborted(interrupt.signal);
    logs.log('ending what was started here; Ctrl-C again does not wait.');
    await unannounce();
    await hooks?.close();
    watched.abort();
    await watching?.done;
    await server.close();
    process.exitCode = interrupt.status() === 143 ? 143 : 0;
  });
}

async function tlsFrom({ tlsCert, tlsKey }: ServeFlags): Promise<{ cert: string; key: string } | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new GlassboxError('invalid-request', 'A certificate needs its key: give --tls-cert and --tls-key.');
  const [cert, key] = await Promise.all(
    [tlsCert, tlsKey].map((file) =>
      readFile(file, 'utf8').catch((cause: unknown) => {
        throw new GlassboxError('read-failed', `${file} could not be read.`, { cause });
      }),
    ),
  );
  return { cert: cert ?? '', key: key ?? '' };
}

/** For people, or a line of JSON each for whoever collects logs. */
function logsFor({ log }: ServeFlags, stderr: NodeJS.WriteStream) {
  if (log !== 'json') return { log: (text: string) => note(stderr, text) };
  const write = (facts: object): void =>
    void stderr.write(`${JSON.stringify({ at: new Date().toISOString(), pid: process.pid, ...facts })}\n`);
  return {
    log: (text: string) => write({ type: 'remark', text: safe(text) }),
    onRequest: (request: object) => write({ type: 'request', ...request }),
  };
}

/** What is on this machine stays on it, unless somebody says what may be seen elsewhere. */
function watchFor(flags: ServeFlags, store: Store): boolean {
  return !flags.noWatch && (flags.watch !== undefined || observesFor(flags, store));
}

/** What processes do, and where files lie that tell it, is nobody else's business at all. */
function observesFor({ host = 'localhost', allowHost = [], behindProxy, noWatch }: ServeFlags, store: Store): boolean {
  const isAlone = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host) && allowHost.length === 0 && !behindProxy;
  return !noWatch && isAlone && isLocal(store);
}

/** A configuration that makes no sense allows nothing. */
async function allowsBypass(cwd: string, process: NodeJS.Process): Promise<boolean> {
  const configuration = await configurationFor(cwd, process).catch(() => undefined);
  return configuration?.settings.serve?.bypass === true;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
