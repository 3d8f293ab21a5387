import { gemini } from '../../../src/agent/gemini/index.js';
import { testAgent } from '../suite.js';

const base = '--output-format stream-json --skip-trust --approval-mode=default';

testAgent({
  agent: gemini,
  folders: ['gemini'],
  commands: [
    ['the prompt goes by stdin', {}, base, 'text'],
    ['accept-edits', { permission: 'accept-edits' }, base.replace('=default', '=auto_edit')],
    ['plan', { permission: 'plan' }, base.replace('=default', '=plan')],
    ['bypass', { permission: 'bypass' }, base.replace('=default', '=yolo')],
    [
      'model and directories',
      { model: 'm', addDirs: ['/a', '/b'] },
      `${base} --model=m --include-directories=/a --include-directories=/b`,
    ],
    ['resume', { resume: 'id-1' }, `${base} --resume=id-1`],
    ['resume the latest', { resume: 'latest' }, `${base} --resume=latest`],
    ['session id', { sessionId: 'id-2' }, `${base} --session-id=id-2`],
    ['further arguments', { extraArgs: ['--debug'] }, `${base} --debug`],
  ],
});
