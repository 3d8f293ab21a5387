/** One agent behind the universal API: a checked request in, envelopes and a completion out. */

import path from 'node:path';
import { type AgentEvent, GlassboxError } from '../event/index.js';
import { type OptionNames, refuseUnknown } from '../event/option.js';
import { type Agent, type RunHandle, requireAgent, run } from '../run/index.js';
import { capabilityIds } from './capability.js';
import type { Envelope, EnvelopeCompletion } from './envelope.js';
import { type Extensions, readExtensions, type Wishes } from './extension.js';
import { CANCELLED, LOST, outcomeOf } from './outcome.js';
import { createProjection, type ProjectionOptions } from './project.js';

export interface Backend {
  /** For example `claude_code`; every envelope carries it. */
  readonly kind: string;
  readonly capabilities: ReadonlySet<string>;
  /** Throws what the caller must hear before anything is spawned. */
  run(request: EnvelopeRequest): EnvelopeRun;
}

/** Defaults for every run; a request wins, variable by variable. */
export interface BackendConfig {
  /** Path or name of the program, instead of searching for it. */
  program?: string;
  workingDir?: string;
  /** From the spawn to the end; absent or 0 means no limit. */
  timeoutMs?: number;
  env?: Readonly<Record<string, string>>;
  /** The host isolates the agent itself, so requests may take its own guards away. Dangerous; default false. */
  allowExternalSandbox?: boolean;
}

export interface EnvelopeRequest extends Pick<BackendConfig, 'workingDir' | 'timeoutMs' | 'env'> {
  prompt: string;
  extensions?: Extensions;
}

export interface EnvelopeRun extends AsyncDisposable, Pick<RunHandle, 'approve' | 'deny'> {
  /** In order and without loss; each iteration is a reader of its own. */
  readonly events: AsyncIterable<Envelope>;
  /** Never rejects. Settles when the process is gone and every current reader has ended or let go (DR-0012). */
  readonly completion: Promise<EnvelopeCompletion>;
  /** Ends the stream at once and the process as soon as it lets itself be ended. */
  cancel(): void;
}

const CONFIG_NAMES: OptionNames<BackendConfig> = {
  program: true,
  workingDir: true,
  timeoutMs: true,
  env: true,
  allowExternalSandbox: true,
};
const REQUEST_NAMES: OptionNames<EnvelopeRequest> = {
  prompt: true,
  extensions: true,
  workingDir: true,
  timeoutMs: true,
  env: true,
};

/** One agent as bounded envelopes and a completion. */
export function createBackend(agent: string | Agent, config: BackendConfig = {}): Backend {
  const found = requireAgent(agent);
  const { kind } = found;
  refuseUnknown('createBackend', config, CONFIG_NAMES);
  const { allowExternalSandbox } = config;
  const capabilities = capabilityIds(found, { allowExternalSandbox });

  return {
    kind,
    capabilities,
    run(request) {
      refuseUnknown('run', request, REQUEST_NAMES);
      if (request.prompt.trim() === '') throw new GlassboxError('invalid-request', 'prompt must not be empty');
      const workingDir = path.resolve(request.workingDir ?? config.workingDir ?? '.');
      const wishes = readExtensions(request.extensions ?? {}, { agentKind: kind, capabilities, workingDir });
      const timeoutMs = request.timeoutMs ?? config.timeoutMs ?? 0;
      const handle = start(found, config, request, { workingDir, timeoutMs, wishes });
      const { externalSandbox, selector } = wishes;
      return attend(handle, { agentKind: kind, externalSandbox, timeoutMs, selector });
    },
  };
}

interface Plan {
  workingDir: string;
  timeoutMs: number;
  wishes: Wishes;
}

function start(agent: Agent, config: BackendConfig, request: EnvelopeRequest, plan: Plan): RunHandle {
  return run({
    agent,
    prompt: request.prompt,
    cwd: plan.workingDir,
    timeoutMs: plan.timeoutMs,
    env: { ...config.env, ...request.env },
    stderr: 'discard',
    ...(config.program !== undefined && { program: config.program }),
    ...plan.wishes.request,
  });
}

type Reader = AsyncIterator<AgentEvent>;

function attend(handle: RunHandle, options: ProjectionOptions): EnvelopeRun {
  const readers = new Set<Reader>();
  let isCancelled = false;
  let isComplete = false;

  /** Counts as a reader from here on, also before the first envelope is asked for. */
  function read(): AsyncIterableIterator<Envelope> {
    const reader = handle.events[Symbol.asyncIterator]();
    readers.add(reader);
    const envelopes = project(reader);
    return {
      next: () => envelopes.next(),
      async return() {
        await letGo(reader);
        return envelopes.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async function* project(reader: Reader): AsyncGenerator<Envelope, void, undefined> {
    const projection = createProjection(options);
    yield* unlessCancelled(projection.start());
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      yield* unlessCancelled(projection.project(next.value));
    }
    await letGo(reader);
  }

  async function letGo(reader: Reader): Promise<void> {
    readers.delete(reader);
    await reader.return?.();
  }

  function* unlessCancelled(envelopes: readonly Envelope[]): Generator<Envelope, void, undefined> {
    for (const envelope of envelopes) {
      if (isCancelled) return;
      yield envelope;
    }
  }

  function cancel(): void {
    if (isComplete) return;
    isCancelled = true;
    handle.cancel();
    for (const reader of readers) void letGo(reader);
  }

  const completion = handle.completion.then(
    (completed) => {
      isComplete = true;
      // It wins over whatever the backend would have said, also when that came first but was not heard yet.
      return isCancelled ? CANCELLED : outcomeOf(completed, options);
    },
    () => LOST,
  );
  return {
    events: { [Symbol.asyncIterator]: read },
    completion,
    cancel,
    approve: handle.approve,
    deny: handle.deny,
    async [Symbol.asyncDispose]() {
      cancel();
      await completion;
    },
  };
}
