/**
 * One conformance suite for every agent: what it prints is understood, whatever it prints is survived, what it is asked can
 * be no flag, and what it is answered is what a host that was recorded answered.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Agent, Command, CommandRequest } from '../../src/agent/index.js';
import type { AgentEvent, Draft } from '../../src/event/index.js';
import { createLineDecoder } from '../../src/jsonl/index.js';
import { violations } from '../support/invariants.js';
import { type Recording, sharedRecordings } from '../support/recordings.js';
import { draftsOf, requestFor } from './drive.js';
import { type Host, replay } from './replay.js';

export interface Conformance {
  agent: Agent;
  /** Folders of `../shared/recordings` that hold this agent's streams. */
  folders: readonly string[];
  /** Argument vectors to the letter, joined by spaces. */
  commands: readonly [
    title: string,
    request: Partial<CommandRequest>,
    args: string,
    stdin?: Command['stdin']['kind'],
  ][];
  /** Flags that take the next argument whatever it is, for programs that do not understand `--flag=value`. */
  pairedFlags?: readonly string[];
  /** How recorded hosts talked to it, by folder. */
  hosts?: Readonly<Record<string, Host>>;
  /** What a whole recording must show beyond the invariants; gives sentences. */
  check?(events: readonly Draft[], recording: { name: string; exitCode: number | undefined }): string[];
}

export function testAgent({ agent, folders, commands, pairedFlags = [], hosts = {}, check }: Conformance): void {
  const recordings = sharedRecordings().filter(({ name }) => folders.includes(name.split('/')[0] ?? ''));

  test('recordings', () => {
    if (!existsSync('../shared/recordings'))
      return console.log(`../shared/recordings is not there: ${agent.name} is not replayed.`);
    for (const folder of folders)
      expect(
        recordings.some(({ name }) => name.startsWith(`${folder}/`)),
        folder,
      ).toBe(true);
  });

  describe.each(recordings)('$name', (recording) => {
    const values = valuesOf(recording);

    test('is understood and sound', () => {
      const events = draftsOf(agent, values);
      expect(events.filter(({ type }) => type === 'unknown')).toEqual([]);
      expect(violations(stamped(events))).toEqual([]);
      expect(check?.(events, { name: recording.name, exitCode: exitCodeOf(recording) }) ?? []).toEqual([]);
    });

    test('is sound however early it ends', () => {
      const stride = Math.max(1, Math.floor(values.length / 60));
      for (let length = 0; length < values.length; length += stride) {
        expect(violations(stamped(draftsOf(agent, values.slice(0, length)))), `${length} lines`).toEqual([]);
      }
    });

    test('is sound with a wrong value in any field', () => {
      for (const mutant of mutants(values)) {
        const wrong = violations(stamped(draftsOf(agent, mutant.values))).filter(
          (sentence) => !/differs from its deltas/.test(sentence),
        );
        expect(wrong, mutant.what).toEqual([]);
      }
    });
  });

  describe('command', () => {
    test.each(commands)('%s', (_, request, args, stdin) => {
      const command = agent.command(requestFor({ prompt: 'go', ...request }));
      expect(command.args.join(' ')).toBe(args);
      if (stdin) expect(command.stdin.kind).toBe(stdin);
    });

    test.each(hostile)('%j stays the value it is', (text) => {
      for (const mode of ['one-shot', 'conversation'] as const) {
        for (const field of ['prompt', 'model', 'resume', 'systemPrompt', 'addDirs'] as const) {
          const argsWith = (value: string) =>
            agent.command(requestFor({ prompt: 'go', mode, [field]: field === 'addDirs' ? [value] : value })).args;
          const [harmless, args] = [argsWith('harmless'), argsWith(text)];
          expect(args, field).toHaveLength(harmless.length);
          const changed = harmless.flatMap((arg, at) => (arg === args[at] ? [] : [{ arg, at }]));
          const behindDashes = harmless.includes('--') ? harmless.indexOf('--') : Number.POSITIVE_INFINITY;
          // A value is safe behind `--`, as part of `--flag=value` or `key=value`, or behind a flag that always takes it.
          const isTaken = (at: number) => pairedFlags.includes(harmless[at - 1] ?? '');
          expect(
            changed.filter(({ arg, at }) => at < behindDashes && !/^[\w.-]+=/.test(arg) && !isTaken(at)),
            field,
          ).toEqual([]);
        }
      }
    });

    test('ends within five seconds before SIGKILL', () => {
      for (const mode of ['one-shot', 'conversation'] as const) {
        const waits = agent.command(requestFor({ mode })).ending.map((rung) => rung.waitMs);
        expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(5000);
      }
    });

    test('never shares a list between calls', () => {
      agent.command(requestFor()).args.push('mine');
      expect(agent.command(requestFor()).args).not.toContain('mine');
    });
  });

  for (const [folder, host] of Object.entries(hosts)) {
    const spoken = recordings.filter(({ name }) => name.startsWith(`${folder}/`) && existsSync(conversation(name)));
    describe.each(spoken)('answers as the host of $name', ({ name }) => {
      test('line by line', () => {
        expect(replay(agent, host, conversation(name))).toEqual([]);
      });
    });
  }
}

/** Values that are something else to a careless command line. */
const hostile = [
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

function valuesOf({ stdout }: Recording): unknown[] {
  const decoder = createLineDecoder();
  const items = [...decoder.push(stdout), ...decoder.end()];
  return items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
}

/** Both sides of it, where the agent was spoken to. */
const conversation = (name: string): string => `../shared/recordings/${name}.io.jsonl`;

function exitCodeOf({ name }: Recording): number | undefined {
  return JSON.parse(readFileSync(`../shared/recordings/${name}.meta.json`, 'utf8')).exitCode ?? undefined;
}

function stamped(drafts: readonly Draft[]): AgentEvent[] {
  return drafts.map((draft, index) => ({
    source: 'stream',
    ...draft,
    seq: index + 1,
    at: 0,
    runId: 'run',
    agent: 'agent',
  }));
}

/** The recording with one field changed, one line lost, one line doubled: a fixed sample of all such changes. */
function* mutants(values: readonly unknown[]): Generator<{ what: string; values: unknown[] }> {
  const places = values.flatMap((value, line) => pathsIn(value).map((path) => ({ line, path })));
  const stride = Math.max(1, Math.floor(places.length / 40));
  for (let at = 0; at < places.length; at += stride) {
    const { line, path } = places[at] as (typeof places)[number];
    const changed = odd[at % odd.length];
    yield {
      what: `line ${line + 1}: ${path.join('.')} = ${JSON.stringify(changed)}`,
      values: values.with(line, replaced(values[line], path, changed)),
    };
  }
  for (let line = 0; line < values.length; line += Math.max(1, Math.floor(values.length / 10))) {
    yield { what: `line ${line + 1} lost`, values: values.toSpliced(line, 1) };
    yield { what: `line ${line + 1} doubled`, values: values.toSpliced(line, 0, values[line]) };
    yield { what: `line ${line + 1} again at the end`, values: [...values, values[line]] };
  }
}

const odd: readonly unknown[] = [
  null,
  0,
  -1.5,
  '',
  'odd',
  true,
  [],
  [null],
  {},
  { type: 'odd' },
  'constructor',
  undefined,
];

function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: string[], changed: unknown): unknown {
  if (key === undefined) return changed;
  if (Array.isArray(value))
    return value.map((inner, index) => (String(index) === key ? replaced(inner, rest, changed) : inner));
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, changed) };
}
