/** What models make agents do, in the ways in which it goes wrong: played by every real agent, so that its disk can be compared with its stream. */
import { writeFileSync } from 'node:fs';
import type { ModelTurn } from '../model/turn.js';
import type { Peer } from '../peer.js';
import type { Sandbox } from '../sandbox.js';
import type { ToolBox } from './tool-box.js';

export interface Scene {
  name: string;
  /** Nothing where the agent has no such tool. */
  turns(peer: Peer, tools: ToolBox, sandbox: Sandbox): readonly ModelTurn[] | undefined;
  /** Ended by a signal while its command runs. */
  signal?: NodeJS.Signals;
}

type Call = NonNullable<ModelTurn['tools']>[number];

const shell = (peer: Peer, ...commands: string[]): Call[] =>
  commands.flatMap((command) => peer.shell(command).tools ?? []);

export const SCENES: readonly Scene[] = [
  {
    name: 'blank-outputs',
    turns: (peer) => [
      { text: 'Three.', tools: shell(peer, 'true', "printf '   \\n\\n'", "printf 'no newline'") },
      { text: 'Nothing much.' },
    ],
  },
  {
    name: 'many-steps',
    turns: (peer) => [
      ...[0, 1, 2, 3, 4].map((step) => ({
        thinking: `Thought ${step}`,
        text: `Step ${step}.`,
        tools: shell(peer, `echo ${step}; exit ${step}`),
      })),
      { text: 'All steps done.' },
    ],
  },
  {
    name: 'broken-arguments-then-right',
    turns: (peer) => [
      { text: 'Wrong.', tools: shell(peer, 'echo never').map((call) => ({ ...call, written: '{"command": "echo' })) },
      { tools: shell(peer, 'echo never').map((call) => ({ ...call, input: { wrong: 1 } })) },
      { text: 'Right.', tools: shell(peer, 'echo right') },
      { text: 'Now it worked.' },
    ],
  },
  {
    name: 'controls-and-secrets',
    turns: (peer) => [
      {
        thinking: 'The password=hunter2secret9 is secret.',
        tools: shell(peer, "printf '\\033[2Jx\\r\\nok\\n'; echo password=hunter2secret9"),
      },
      { text: '\u001b[31mred\u001b[0m \u200b<!-- hidden --> end  \n\n' },
    ],
  },
  {
    name: 'cut-mid-stream-in-loop',
    turns: (peer) => [
      { text: 'Start.', tools: shell(peer, 'echo a') },
      { text: 'Half of the answer that is never whole', cut: true },
      { text: 'Whole answer.' },
    ],
  },
  {
    name: 'fail-after-work-401',
    turns: (peer) => [
      { text: 'Working.', tools: shell(peer, 'echo before') },
      { status: 401, message: 'The key is not valid any more' },
    ],
  },
  {
    name: 'fail-at-once-400',
    turns: () => [{ status: 400, message: 'This cannot be asked' }],
  },
  {
    name: 'length-cut',
    turns: (peer) => [
      { text: 'Begin.', tools: shell(peer, 'echo a') },
      { text: 'An answer that became too lo', tooLong: true },
    ],
  },
  {
    name: 'empty-answer',
    turns: (peer) => [{ tools: shell(peer, 'echo a') }, { text: '' }, { text: 'Something after all.' }],
  },
  {
    name: 'mixed-parallel-fail',
    turns: (peer, { read }, { cwd }) => [
      {
        thinking: 'All at once.',
        text: 'Several.',
        tools: [
          ...shell(peer, 'sleep 1; echo slow', 'echo out; echo err >&2; exit 7'),
          ...(read ? [read(`${cwd}/README.md`), read(`${cwd}/missing.txt`)] : []),
        ],
      },
      { text: 'Some failed.' },
    ],
  },
  {
    name: 'big-answer-and-output',
    turns: (peer) => [
      { tools: shell(peer, 'i=0; while [ $i -lt 30000 ]; do echo "row $i of long output"; i=$((i+1)); done') },
      { text: Array.from({ length: 3000 }, (_, at) => `Satz ${at} ist länger. `).join('') },
    ],
  },
  {
    name: 'unknown-tool-in-parallel',
    turns: (peer) => [
      { text: 'Two.', tools: [{ name: 'no_such_tool', input: { a: 1 } }, ...shell(peer, 'echo fine')] },
      { text: 'One of them worked.' },
    ],
  },
  {
    name: 'retry-429-in-loop',
    turns: (peer) => [
      { text: 'Working.', tools: shell(peer, 'echo a') },
      { status: 429, message: 'Slow down' },
      { text: 'Went on.', tools: shell(peer, 'echo b') },
      { status: 500, message: 'Broken' },
      { text: 'Done after all.' },
    ],
  },
  {
    name: 'edits-crlf-unicode-miss',
    turns(peer, { read, edit }, { cwd }) {
      if (!edit) return;
      const path = `${cwd}/ümläut.txt`;
      writeFileSync(path, 'eins\r\nzwei\r\ndrei 你好\r\n');
      return [
        ...(read ? [{ tools: [read(path)] }] : []),
        { text: 'Changing.', tools: [edit(path, 'zwei', 'ZWEI 😀')] },
        { tools: [edit(path, 'not there', 'x')] },
        { ...peer.write(`${cwd}/new.txt`, 'a\r\nb\n') },
        { text: 'One was missed.' },
      ];
    },
  },
  {
    name: 'todos-and-work',
    turns: (peer, { todos }) =>
      todos && [
        { text: 'Plan.', tools: [todos(['in_progress Lesen', 'pending Ändern'])] },
        { tools: shell(peer, 'false') },
        { tools: [todos(['completed Lesen', 'in_progress Ändern'])] },
        { text: 'List done.' },
      ],
  },
  {
    name: 'same-id-again',
    turns: (peer) => [
      { text: 'First.', tools: shell(peer, 'echo one').map((call) => ({ ...call, id: 'call_same' })) },
      { text: 'Second.', tools: shell(peer, 'echo two; exit 2').map((call) => ({ ...call, id: 'call_same' })) },
      { text: 'Both.' },
    ],
  },
  {
    name: 'sub-agent-two-tools',
    turns: (_, { delegate }) =>
      delegate && [
        { text: 'Delegating.', tools: [delegate('SUB-MARK work please')] },
        { text: 'The other one is done.' },
      ],
  },
  {
    name: 'sub-agent-waited-for',
    turns: (_, { delegateAndWait }) =>
      delegateAndWait && [
        { text: 'Delegating.', tools: [delegateAndWait('SUB-MARK work please')] },
        { text: 'The other one is done.' },
      ],
  },
  {
    name: 'sub-agent-fails',
    turns: (_, { delegateAndWait, delegate }) => {
      const ask = delegateAndWait ?? delegate;
      return (
        ask && [
          { text: 'Delegating.', tools: [ask('SUB-MARK SUB-FAILS work please')] },
          { text: 'The other one failed.' },
        ]
      );
    },
  },
  {
    name: 'sub-agents-nested',
    turns: (_, { delegateAndWait, delegate }) => {
      const ask = delegateAndWait ?? delegate;
      return (
        ask && [{ text: 'Delegating.', tools: [ask('SUB-MARK SUB-NESTS work please')] }, { text: 'Both are done.' }]
      );
    },
  },
  {
    name: 'signal-in-tool',
    signal: 'SIGINT',
    turns: (peer) => [
      { text: 'Before.', tools: shell(peer, 'echo quick') },
      { text: 'Long one.', tools: shell(peer, 'touch begun.txt; sleep 300') },
    ],
  },
];
