import type { RecordedHost } from '../../../src/agent/conformance/replay.js';
import { pi } from '../../../src/agent/pi/index.js';
import type { Draft } from '../../../src/event/index.js';
import { ofType } from '../drive.js';
import { testAgent } from '../suite.js';

const json = '--mode json';
const rpc = '--mode rpc';
const looking = '--tools read,grep,find,ls';

/** The recorder that drove `pi --mode rpc`. */
const host: RecordedHost = {
  request: (said) => ({ permission: 'bypass', prompt: String(said.find(({ type }) => type === 'prompt')?.message) }),
  action({ type, message, confirmed, id }) {
    if (type === 'abort') return { type: 'interrupt' };
    if (type === 'prompt' || type === 'steer') return { type: 'say', text: String(message) };
    if (type !== 'extension_ui_response') return undefined;
    const by = { id: String(id), by: 'person' } as const;
    return confirmed === true ? { type: 'approve', ...by } : { type: 'deny', message: 'no', ...by };
  },
  isAside: ({ type }) => /^get_/.test(String(type)),
  // A prompt that may steer is a prompt or a steer, whichever is the case.
  meaning: ({ type, message, confirmed }) => ({ type: type === 'steer' ? 'prompt' : type, message, confirmed }),
};

testAgent({
  agent: pi,
  folders: ['pi', 'pi-rpc'],
  pairedFlags: ['--model', '--append-system-prompt', '--session', '--fork', '--tools'],
  commands: [
    ['only tools that look, the prompt by stdin', {}, `${json} ${looking}`, 'text'],
    ['tools that are allowed', { allowedTools: ['bash'] }, `${json} ${looking},bash`],
    ['accept-edits', { permission: 'accept-edits' }, `${json} ${looking},edit,write`],
    ['plan', { permission: 'plan' }, `${json} ${looking}`],
    ['bypass', { permission: 'bypass' }, json],
    [
      'model and system prompt',
      { model: 'p/m', systemPrompt: 'Be brief.' },
      `${json} --model p/m --append-system-prompt Be brief. ${looking}`,
    ],
    ['resume', { resume: 'abc' }, `${json} --session abc ${looking}`],
    ['resume the latest', { resume: 'latest' }, `${json} --continue ${looking}`],
    ['fork', { resume: 'abc', fork: true }, `${json} --fork abc ${looking}`],
    [
      'the latest cannot be forked, which pi says',
      { resume: 'latest', fork: true },
      `${json} --fork latest ${looking}`,
    ],
    ['further arguments', { extraArgs: ['--offline'] }, `${json} ${looking} --offline`],
    [
      'forbidden tools do not exist',
      { allowedTools: ['bash'], disallowedTools: ['ls'] },
      `${json} --tools read,grep,find,bash`,
    ],
    [
      'forbidden tools among all are refused by an extension',
      { permission: 'bypass', disallowedTools: ['bash'] },
      `${json} --extension {glassbox:gate}`,
    ],
    [
      'a conversation asks by an extension',
      { mode: 'conversation', permission: 'ask' },
      `${rpc} --extension {glassbox:gate}`,
      'lines',
    ],
    ['asking needs a conversation', { permission: 'ask' }, `${rpc} --extension {glassbox:gate}`, 'lines'],
    ['a conversation without questions', { mode: 'conversation', permission: 'deny' }, `${rpc} ${looking}`, 'lines'],
  ],
  hosts: { 'pi-rpc': host },
  check,
});

/** The exit status says nothing: every error of the model ends with 0. */
function check(events: readonly Draft[], { name }: { name: string }): string[] {
  const outcomes = ofType(events, 'turn-end').map(({ outcome }) => outcome);
  const expected = EXPECTED.find(([pattern]) => pattern.test(name))?.[1] ?? 'success';
  return outcomes.length === 0 || outcomes.includes(expected as never) ? [] : [`${outcomes} instead of ${expected}`];
}

const EXPECTED: [RegExp, string][] = [
  [/error-(stream-cut|unknown-model)/, 'success'],
  [/pi\/error-|fail-after-work/, 'failed'],
  [/signal-/, 'unknown'],
  [/abort/, 'interrupted'],
];
