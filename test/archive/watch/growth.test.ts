/**
 * A conversation that is followed while it grows, however its files are cut, tells what the import tells of it when it is over. The homes of the
 * repository are grown in some ways; those of `../shared`, where it lies beside the clone, too.
 */
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { violations } from '../../../src/agent/conformance/invariants.js';
import { AGENTS, type Agent } from '../../../src/agent/index.js';
import type { Moment } from '../../../src/agent/transcript.js';
import { type Conversation, findConversations, transcriptFolders } from '../../../src/archive/index.js';
import { readConversation } from '../../../src/archive/read.js';
import { createSource, type Source } from '../../../src/archive/watch/source.js';
import { createPipeline } from '../../../src/decode/index.js';
import type { AgentEvent } from '../../../src/event/index.js';
import { openForeign } from '../../../src/store/foreign.js';
import { agentOfFolder } from '../../support/recordings.js';
import { accountOf, differences } from '../account.js';

const homes = new Map<string, string>();
for (const root of ['test/archive/recordings/homes', '../shared/homes'])
  for (const [name, folder] of homesIn(root)) homes.set(name, folder);

describe.each([...homes])('%s', (name, folder) => {
  test('grown in any pieces it tells what the import tells', async () => {
    const agent = agentOf(name);
    const from = join(folder, 'home');
    const whole = new Map<string, AgentEvent[]>();
    for (const one of await find(agent, from))
      whole.set(one.sessionId, [...(await readConversation(one, openForeign)).events]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }), async (cuts) => {
        const grown = await followed(agent, from, [...cuts.toSorted(), 1]);
        expect([...grown.keys()].sort()).toEqual([...whole.keys()].sort());
        for (const [id, events] of whole) {
          const told = grown.get(id) ?? [];
          expect([...differences(accountOf(events), accountOf(told)).values()]).toEqual([]);
          expect(violations(told)).toEqual([]);
        }
      }),
      { numRuns: 1, examples: [[[0.31, 0.32, 0.7]]] },
    );
  });
});

/** The files of a home come to the disk piece by piece, and after each its conversations are looked at. */
async function followed(agent: Agent, from: string, shares: readonly number[]): Promise<Map<string, AgentEvent[]>> {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-grow-'));
  const sources = new Map<string, { source: Source; moments: Moment[] }>();
  for (const share of shares) {
    for (const path of filesIn(from)) grow(path, join(home, relative(from, path)), share);
    for (const conversation of await find(agent, home)) {
      const source = createSource(conversation, openForeign);
      const known = sources.get(conversation.sessionId) ?? (source && { source, moments: [] });
      if (!known) throw new Error('It cannot be read.');
      sources.set(conversation.sessionId, known);
      for await (const moments of known.source.read(conversation)) known.moments.push(...moments);
    }
  }
  const told = [...sources].map(
    ([id, { source, moments }]) => [id, stamped(agent, [...moments, ...source.end()])] as const,
  );
  return new Map(told);
}

function stamped(agent: Agent, moments: readonly Moment[]): AgentEvent[] {
  let now = 0;
  const pipeline = createPipeline({ agent, runId: 'r', now: () => now });
  return moments.flatMap(({ at, draft }) => {
    now = at;
    return pipeline.emit({ ...draft });
  });
}

/** Lines are added, also in halves; a document is written anew, so that a part of it is none. */
function grow(source: string, path: string, share: number): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!path.endsWith('.jsonl')) return void (share > 0.2 && cpSync(source, path));
  const before = existsSync(path) ? readFileSync(path).length : 0;
  const bytes = readFileSync(source);
  appendFileSync(path, bytes.subarray(before, Math.max(before, Math.round(bytes.length * share))));
}

async function find(agent: Agent, home: string): Promise<Conversation[]> {
  const places = transcriptFolders(agent, { env: {}, home });
  return (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function agentOf(name: string): Agent {
  const agent = AGENTS.find((one) => one.name === agentOfFolder(name.split('/')[0] ?? ''));
  if (!agent) throw new Error(`No agent is called as the folder of ${name}.`);
  return agent;
}

function* homesIn(root: string): Generator<[name: string, folder: string]> {
  if (!existsSync(root)) return;
  for (const kind of readdirSync(root)) {
    const agent = AGENTS.find(({ name }) => name === agentOfFolder(kind));
    if (!agent?.transcripts) continue;
    for (const name of readdirSync(join(root, kind))) yield [`${kind}/${name}`, join(root, kind, name)];
  }
}
