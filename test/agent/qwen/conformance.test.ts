import { qwen } from '../../../src/agent/qwen/index.js';
import { testAgent } from '../suite.js';

const base = '--output-format stream-json --approval-mode=default --include-partial-messages';

testAgent({
  agent: qwen,
  folders: ['qwen'],
  commands: [
    ['the prompt goes by stdin', {}, base, 'text'],
    ['no deltas', { deltas: false }, '--output-format stream-json --approval-mode=default'],
    ['accept-edits', { permission: 'accept-edits' }, base.replace('=default', '=auto-edit')],
    ['plan', { permission: 'plan' }, base.replace('=default', '=plan')],
    ['bypass', { permission: 'bypass' }, base.replace('=default', '=yolo')],
    [
      'model and directories',
      { model: 'm', addDirs: ['/a', '/b'] },
      `${base} --model=m --include-directories=/a --include-directories=/b`,
    ],
    ['resume', { resume: 'id-1' }, `${base} --resume=id-1`],
    ['fork the latest', { resume: 'latest', fork: true }, `${base} --continue --fork-session`],
    ['session id', { sessionId: 'id-2' }, `${base} --session-id=id-2`],
    [
      'schema and turns',
      { outputSchema: { type: 'object' }, maxTurns: 3 },
      `${base} --json-schema={"type":"object"} --max-session-turns=3`,
    ],
    ['further arguments', { extraArgs: ['--debug'] }, `${base} --debug`],
    ['a conversation', { mode: 'conversation', permission: 'ask' }, `--input-format stream-json ${base}`, 'lines'],
  ],
});
