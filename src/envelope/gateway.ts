/** Backends by kind: the one entrance of programs that do not want to know which agent they run. */
import { GlassboxError } from '../event/index.js';
import type { Backend, EnvelopeRequest, EnvelopeRun } from './backend.js';

export interface Gateway {
  /** A kind can be taken only once. */
  register(backend: Backend): void;
  resolve(agentKind: string): Backend;
  kinds(): string[];
  /** Resolves the backend and starts a run. */
  run(agentKind: string, request: EnvelopeRequest): EnvelopeRun;
}

const KIND = /^[a-z][a-z0-9_]*$/;

/** Several backends behind one call, by their kind. */
export function createGateway(backends: readonly Backend[] = []): Gateway {
  const known = new Map<string, Backend>();

  function register(backend: Backend): void {
    checkKind(backend.kind);
    if (known.has(backend.kind))
      throw new GlassboxError('invalid-request', `backend already registered: ${backend.kind}`);
    known.set(backend.kind, backend);
  }

  function resolve(agentKind: string): Backend {
    checkKind(agentKind);
    const backend = known.get(agentKind);
    if (!backend) throw new GlassboxError('unknown-agent', `unknown backend: ${agentKind}`);
    return backend;
  }

  for (const backend of backends) register(backend);
  return {
    register,
    resolve,
    kinds: () => [...known.keys()],
    run: (agentKind, request) => resolve(agentKind).run(request),
  };
}

/** The value is not repeated: it may be anything. */
function checkKind(kind: string): void {
  if (!KIND.test(kind)) throw new GlassboxError('invalid-request', `invalid agent kind: it must match ${KIND.source}`);
}
