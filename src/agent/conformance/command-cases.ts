/** What an agent is asked is no flag, and it ends when it is told to. */
import { type AgentCase, type AgentConformance, expectNone } from './case.js';
import { requestFor } from './drive.js';

const MODES = ['one-shot', 'conversation'] as const;
const FIELDS = ['prompt', 'model', 'resume', 'systemPrompt', 'addDirs'] as const;
/** Before what is still alive is killed. */
const LONGEST_ENDING_MS = 5000;

/** Values that are something else to a careless command line. */
const HOSTILE = [
  '--help',
  '-p',
  '--',
  '-',
  '-- rm',
  '--model=x',
  '$(touch x)',
  '; rm -rf ~',
  '" --yolo "',
  "' --yolo '",
  '\n--help',
];

export function commandCases({ agent, commands = [], pairedFlags = [] }: AgentConformance): AgentCase[] {
  return [
    ...commands.map(({ name, request, args, stdin }) => ({
      name: `command: ${name}`,
      run() {
        const command = agent.command(requestFor({ prompt: 'go', ...request }));
        expectSame(command.args.join(' '), args);
        if (stdin) expectSame(command.stdin.kind, stdin);
      },
    })),
    ...HOSTILE.map((text) => ({
      name: `command: ${JSON.stringify(text)} stays the value it is`,
      run() {
        for (const mode of MODES) for (const field of FIELDS) expectNone(misread(text, mode, field));
      },
    })),
    {
      name: 'command: ends within five seconds before SIGKILL',
      run() {
        for (const mode of MODES) {
          const waits = agent.command(requestFor({ mode })).ending.map(({ waitMs }) => waitMs);
          const sum = waits.reduce((all, waitMs) => all + waitMs, 0);
          expectNone(sum > LONGEST_ENDING_MS ? [`its ladder takes ${sum} ms`] : []);
        }
      },
    },
    {
      name: 'command: never shares a list between calls',
      run() {
        agent.command(requestFor()).args.push('mine');
        expectNone(agent.command(requestFor()).args.includes('mine') ? ['it shares its arguments'] : []);
      },
    },
  ];

  function misread(text: string, mode: (typeof MODES)[number], field: (typeof FIELDS)[number]): string[] {
    const argsWith = (value: string) =>
      agent.command(requestFor({ prompt: 'go', mode, [field]: field === 'addDirs' ? [value] : value })).args;
    const [harmless, args] = [argsWith('harmless'), argsWith(text)];
    if (args.length !== harmless.length) return [`as ${field} it becomes another number of arguments`];
    const behindDashes = harmless.includes('--') ? harmless.indexOf('--') : Number.POSITIVE_INFINITY;
    // A value is safe behind `--`, as part of `--flag=value` or `key=value`, or behind a flag that always takes it.
    const isSafe = (arg: string, at: number) =>
      at >= behindDashes || /^[\w.-]+=/.test(arg) || pairedFlags.includes(harmless[at - 1] ?? '');
    const loose = harmless.filter((arg, at) => arg !== args[at] && !isSafe(arg, at));
    return loose.map(() => `as ${field} it stands where a flag may stand`);
  }
}

function expectSame(actual: string, expected: string): void {
  expectNone(actual === expected ? [] : [`it is  ${actual}`, `and not ${expected}`]);
}
