/** Amp's server, as far as the program uses it: its own questions, the threads it keeps, and the Messages API passed on. */
import { answerMessages } from './anthropic.js';
import { type ModelServer, sendJson, startServer } from './http.js';
import type { Script } from './turn.js';

export function startAmp(script: Script): Promise<ModelServer> {
  const calls: unknown[] = [];
  const answerModel = answerMessages(script, calls);
  const threads = new Map<unknown, unknown>();

  /** `undefined` for what is not there. */
  function ask(method: unknown, params: Record<string, unknown>): unknown {
    if (method === 'getUserInfo') return USER;
    if (method === 'loadPlugins') return [];
    if (method === 'uploadThread') {
      threads.set((params.thread as { id?: unknown } | undefined)?.id, params.thread);
      return {};
    }
    if (method !== 'getThread') return {};
    const data = threads.get(params.thread);
    return data && { thread: { data } };
  }

  return startServer((request, response) => {
    const { path, body } = request;
    if (!path.startsWith('/api/internal')) return answerModel(request, response);
    const result = ask(body.method, (body.params ?? {}) as Record<string, unknown>);
    const error = { code: 'thread-not-found', message: 'not found' };
    return sendJson(response, 200, result === undefined ? { ok: false, error } : { ok: true, result });
  }, calls);
}

const USER = {
  id: 'user',
  email: 'user@example.invalid',
  username: 'user',
  features: [],
  emailVerified: true,
  team: null,
};
