/** A hub and workers of it in this process, whose agent plays a script. */
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/client/index.js';
import type { ServerOptions } from '../../src/server/index.js';
import { openHub } from '../../src/store/index.js';
import { createWorker, type Worker, type WorkerOptions } from '../../src/worker/index.js';
import type { Step } from '../fake-agent/lines.js';
import { scripted, temporaryDirectory } from '../fake-agent/play.js';
import { startServing } from '../server/serve.js';
import { PATIENCE_MS } from '../support/patience.js';

export async function fleet(script: readonly Step[], options: Partial<ServerOptions> = {}) {
  const { close, ...served } = await startServing([], { pollMs: 20, leaseMs: PATIENCE_MS, ...options });
  const workers: Worker[] = [];
  onTestFinished(async () => {
    for (const worker of workers) worker.stop();
    await Promise.allSettled(workers.map(({ done }) => done));
    await close();
  });
  const { token } = await served.client.createToken({ name: 'runner', scopes: ['work'] });
  const { url } = served.server;
  const spoolFolder = temporaryDirectory();
  const { program, env, survivorGraceMs } = scripted(script);
  const log: string[] = [];

  const work = (more: Partial<WorkerOptions> = {}): Worker => {
    const worker = createWorker({
      hub: url,
      client: createClient({ url, token }),
      openStore: (epochs) => openHub({ url, token, ...(epochs && { epochs }) }),
      file: { projects: { shop: served.project }, labels: ['linux'] },
      name: 'w1',
      agents: ['claude'],
      max: 2,
      spoolFolder,
      defaultsFor: async () => ({ program, env, survivorGraceMs }),
      log: (text) => log.push(text),
      waitMs: 200,
      retryMs: [5],
      ...more,
    });
    workers.push(worker);
    return worker;
  };
  return { ...served, token, spoolFolder, log, work };
}
