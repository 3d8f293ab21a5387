/**
 * What each agent's reader makes of a line in which one field is missing or odd, or which is lost or comes twice, as another version of the
 * program may print it: for every place that a recorded line has, in the stream and on disk. The lists beside this file are read when they
 * change; `npx vitest run test/agent -u` writes them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Action, AGENTS, type Agent, type Protocol } from '../../src/agent/index.js';
import { type ConversationFile, findConversations, readMoments, transcriptFolders } from '../../src/archive/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { agentOfFolder, ownRecordings, valuesOf } from '../support/recordings.js';
import { requestFor } from './drive.js';
import { oddFields, type Source, type Told } from './odd-field.js';

const recordings = ownRecordings();
const namesRecorded = new Set(recordings.map(({ agent }) => agent));

test.each(AGENTS.filter(({ name }) => namesRecorded.has(name)))('$name prints', async (agent) => {
  const own = recordings.filter((one) => one.agent === agent.name);
  await expectList(`${agent.name}`, [
    ...oddFields(own.map(({ stdout }) => streamOf(agent, valuesOf(stdout)))),
    ...oddFields(own.flatMap(({ conversation }) => (conversation ? [conversationOf(agent, conversation)] : []))),
    ...oddFields(
      own.flatMap(({ stdout }) => valuesOf(stdout).slice(0, OPENING)).map((value) => openingOf(agent, value)),
    ),
  ]);
});

test.each(AGENTS.filter(({ transcripts }) => transcripts))('$name left on disk', async (agent) => {
  await expectList(`${agent.name}-disk`, oddFields(await homesOf(agent)));
});

async function expectList(name: string, lines: readonly string[]): Promise<void> {
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`odd-field/${name}.txt`);
}

function streamOf(agent: Agent, lines: readonly unknown[]): Source {
  return {
    values: lines.map((value) => ({ value })),
    tell(values) {
      const protocol = agent.createProtocol();
      const steps = [protocol.start(), ...values.map(({ value }) => protocol.receive(value, 100)), protocol.end()];
      return steps.flatMap(({ events }) => events).map((draft) => JSON.stringify(draft));
    },
  };
}

/** Streams are told apart by so many lines at most. */
const OPENING = 5;

/** How sure it is that a stream is its own which begins so. */
function openingOf(agent: Agent, line: unknown): Source {
  return {
    values: [{ value: line }],
    tell: (values) => [JSON.stringify({ type: 'detect', sure: agent.detect(values.map(({ value }) => value)) })],
  };
}

/** With a host that answers each question in another way and then has more to say. */
function conversationOf(agent: Agent, path: string): Source {
  const all = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  const said = all.map(({ dir, msg, line = msg }) => ({
    value: line,
    part: dir === 'c2s' || dir === 'in' ? 'host' : undefined,
  }));
  return { values: said, tell: (values) => hostTold(agent.createProtocol(requestFor(SPOKEN)), values) };
}

const SPOKEN = { mode: 'conversation', permission: 'ask', prompt: 'go' } as const;
const by = { by: 'person' } as const;

/** One after the other. */
const ANSWERS: ((id: string) => Action)[] = [
  (id) => ({ type: 'approve', id, ...by }),
  (id) => ({ type: 'deny', id, message: 'no', ...by }),
  (id) => ({ type: 'approve', id, remember: [0], ...by }),
  (id) => ({ type: 'answer', id, answers: { first: 'yes' }, ...by }),
];

function hostTold(protocol: Protocol, values: readonly Told[]): string[] {
  const told: string[] = [];
  /** Our ids of requests by those of the recorded host, because the agent answers under them. */
  const ids = new Map<unknown, unknown>();
  const unmatched: { method?: string; id?: unknown }[] = [];
  let asked = 0;

  const note = (step: ReturnType<Protocol['act']>): void => {
    if (step === 'unsupported') return void told.push(JSON.stringify({ type: 'unsupported' }));
    for (const line of step.send) {
      const message = JSON.parse(line);
      told.push(JSON.stringify({ ...message, type: `say ${message.type ?? message.method ?? ''}` }));
      if (message.id !== undefined) unmatched.push(message);
    }
    for (const draft of step.events) {
      told.push(JSON.stringify(draft));
      if (draft.type !== 'approval-request') continue;
      const answer = ANSWERS[asked % ANSWERS.length] ?? ANSWERS[0];
      asked += 1;
      if (answer) note(protocol.act(answer(draft.id)));
    }
  };

  note(protocol.start());
  for (const { value, part } of values) {
    const { id, method } = (value ?? {}) as { id?: unknown; method?: string };
    if (part === 'host') {
      const at = unmatched.findIndex((message) => message.method === method);
      if (id !== undefined && at >= 0) ids.set(id, unmatched.splice(at, 1)[0]?.id);
    } else
      note(
        protocol.receive(method === undefined && ids.has(id) ? { ...(value as object), id: ids.get(id) } : value, 100),
      );
  }
  for (const action of LATER) note(protocol.act(action));
  note(protocol.end());
  return told;
}

const LATER: readonly Action[] = [
  { type: 'say', text: 'more' },
  { type: 'set-model', model: 'other' },
  { type: 'set-permission', mode: 'plan' },
  { type: 'interrupt' },
];

async function homesOf(agent: Agent): Promise<Source[]> {
  const roots = ['homes', 'several'].map((name) => join('test/archive/recordings', name));
  const homes = roots
    .flatMap(below)
    .filter((folder) => agentOfFolder(folder.split('/').at(-1) ?? '') === agent.name)
    .flatMap(below)
    .map((folder) => join(folder, 'home'))
    .filter((home) => existsSync(home));
  const places = homes.flatMap((home) => transcriptFolders(agent, { env: {}, home }));
  const others = agent.transcripts?.figures ? ['test/archive/recordings/projects'] : [];
  return (await Promise.all([...places, ...others].map((place) => conversationsIn(agent, place)))).flat();
}

function below(folder: string): string[] {
  const names = readdirSync(folder).sort();
  return names.map((name) => join(folder, name));
}

/** What its reader is given of each conversation, in that order. */
async function conversationsIn(agent: Agent, place: string): Promise<Source[]> {
  const found = await findConversations(agent, place, openForeign);
  // Not by the times of their files, nor as a folder happens to have them: both are those of the clone.
  return Promise.all(
    found.toSorted(byId).map(async (conversation) => {
      conversation.files.sort(byPlace);
      const values: Told[] = [];
      const createReader = () => ({
        receive(value: unknown, part?: string) {
          values.push({ value, part });
          return [];
        },
        end: () => ({ moments: [] }),
      });
      const transcripts = agent.transcripts && { ...agent.transcripts, createReader };
      await readMoments({ ...conversation, agent: { ...agent, transcripts } as Agent }, openForeign);
      return { values, tell: (some: readonly Told[]) => [...wordsOf(agent, some), ...figuresOf(agent, some)] };
    }),
  );
}

const byPlace = (a: ConversationFile, b: ConversationFile) => (placeOf(a) < placeOf(b) ? -1 : 1);
const placeOf = ({ part = '', path }: ConversationFile) => `${part} ${path}`;
const byId = (a: { sessionId: string }, b: { sessionId: string }) => (a.sessionId < b.sessionId ? -1 : 1);

function wordsOf(agent: Agent, values: readonly Told[]): string[] {
  const reader = agent.transcripts?.createReader();
  const told = values.flatMap(({ value, part }) => reader?.receive(value, part) ?? []);
  const { moments = [], ...rest } = reader?.end() ?? {};
  return [...told, ...moments, { type: 'origin', ...rest }].map((one) => JSON.stringify(one));
}

/** The quick way through the same lines. */
function figuresOf(agent: Agent, values: readonly Told[]): string[] {
  const reader = agent.transcripts?.figures?.createReader();
  if (!reader) return [];
  for (const { value, part } of values) {
    const bytes = Buffer.from(JSON.stringify(value) ?? '');
    const text = (from: number, to: number) => bytes.toString('latin1', from, to);
    reader.receive({ bytes, from: 0, to: bytes.length, text, whole: () => value }, part);
  }
  const { moments, ...rest } = reader.end();
  return [...moments, { type: 'origin', ...rest }].map((one) => JSON.stringify(one));
}
