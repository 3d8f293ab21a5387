/** Every agent against the conformance cases that strangers get too, with all recordings that there are. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { draw } from '../../scripts/random.mjs';
import type { AgentConformance, AgentRecording, ExpectedCommand } from '../../src/agent/conformance/case.js';
import type { RecordedConversation, RecordedHost } from '../../src/agent/conformance/replay.js';
import { testAgent as casesOf } from '../../src/agent/conformance/test-agent.js';
import { createLineDecoder } from '../../src/jsonl/index.js';
import { allRecordings, type Recording } from '../support/recordings.js';
import { requestFor } from './drive.js';

export interface Conformance extends Pick<AgentConformance, 'agent' | 'pairedFlags' | 'check'> {
  /** Folders that hold this agent's streams, named after it or one of its ways of speaking; there may be more. */
  folders: readonly string[];
  commands: readonly [
    name: string,
    request: ExpectedCommand['request'],
    args: string,
    stdin?: ExpectedCommand['stdin'],
  ][];
  /** How recorded hosts talked to it, by folder. */
  hosts?: Readonly<Record<string, RecordedHost>>;
}

export function testAgent({ folders, commands, hosts = {}, ...own }: Conformance): void {
  const { name: agent } = own.agent;
  const recordings = allRecordings().filter((one) => one.agent === agent || folders.includes(folderOf(one)));
  const spoken = recordings.filter(({ conversation }) => conversation !== undefined);

  test('recordings', () => {
    expect(folders.filter((folder) => !recordings.some((recording) => folderOf(recording) === folder))).toEqual([]);
  });

  test('every command starts the program that is looked for', () => {
    const started = commands.map(([, request]) => own.agent.command(requestFor({ prompt: 'go', ...request })).program);
    expect([...new Set(started)]).toEqual(own.agent.program.names.slice(0, 1));
  });

  const cases = casesOf({
    ...own,
    recordings: recordings.map(linesOf),
    commands: commands.map(([name, request, args, stdin]) => ({ name, request, args, stdin })),
    conversations: spoken.flatMap((recording) => conversationOf(recording, hosts[folderOf(recording)]) ?? []),
  });
  const laborious = cases.filter(({ name }) => / is sound (?:however early|with a wrong value)/.test(name));
  const left = new Set(draw(laborious, Math.max(0, laborious.length - ENOUGH) * LEFT_OUT, SEED));
  for (const one of cases) if (!left.has(one)) test(one.name, one.run);
}

/** Streams that end early or have mistakes take most of the time and are much alike: of many, four in five are left to other commits. */
const ENOUGH = 10;
const LEFT_OUT = 4 / 5;
const SEED = process.env.GLASSBOX_TEST_SEED ?? '';

const folderOf = ({ name }: Recording): string => name.split('/')[0] ?? '';

function linesOf({ name, stdout, meta }: Recording): AgentRecording {
  const decoder = createLineDecoder();
  const items = [...decoder.push(stdout), ...decoder.end()];
  const lines = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
  return { name, lines, exitCode: meta.exitCode ?? undefined };
}

function conversationOf(
  { name, conversation = '' }: Recording,
  host: RecordedHost | undefined,
): RecordedConversation | undefined {
  return host && { name, host, messages: readFileSync(conversation, 'utf8').trim().split('\n').map(messageOf) };
}

/** Two recorders wrote them, with two spellings. */
function messageOf(text: string): RecordedConversation['messages'][number] {
  const { dir, msg, line = msg } = JSON.parse(text);
  return { toAgent: dir === 'c2s' || dir === 'in', message: line };
}
