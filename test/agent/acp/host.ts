import type { RecordedHost } from '../../../src/agent/conformance/replay.js';

/** A recorded client of the Agent Client Protocol. */
export const acpHost: RecordedHost = {
  request(said) {
    const prompt = said.find(({ method }) => method === 'session/prompt');
    return { prompt: textOf(prompt?.params) };
  },
  action({ method, params, result }, asked) {
    if (method === 'session/cancel') return { type: 'interrupt' };
    if (method === 'session/prompt') return { type: 'say', text: textOf(params) };
    const { outcome, action, content } = members(result);
    const by = { id: asked?.id ?? '', by: 'person' } as const;
    if (action === 'accept') return { type: 'answer', answers: members(content), ...by };
    if (outcome === undefined) return undefined;
    const { optionId } = members(outcome);
    return optionId === 'reject'
      ? { type: 'deny', message: 'no', ...by }
      : { type: 'approve', ...(/always$/.test(String(optionId)) && { remember: [0] }), ...by };
  },
  meaning({ id: _, method, ...said }) {
    // Both say who they are and offer nothing but to be asked.
    return method === 'initialize' ? method : { method, ...said };
  },
};

function members(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}

function textOf(params: unknown): string {
  return (members(params).prompt as { text: string }[] | undefined)?.[0]?.text ?? '';
}
