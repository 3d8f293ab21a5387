/**
 * What every real agent leaves on disk tells what its streams told: of a session that was resumed, and of a copy of it, which has its own part
 * and does not pay for the other one again.
 */
import { describe, expect, test } from 'vitest';
import { findConversations, transcriptFolders } from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { agentNamed } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { accountOf } from '../archive/account.js';
import { unexplained } from '../archive/exceptions.js';
import { PEERS } from './agents.js';
import { sequence } from './model/turn.js';
import type { Peer } from './peer.js';
import { createStage } from './stage.js';
import { nameOf } from './table.js';

const readable = PEERS.filter(({ agent }) => agentNamed(agent)?.transcripts);

/** Their streams count the whole session in each process, so that two of them do not add up. */
const COUNTS_AGAIN = new Set(['codex', 'qwen']);

describe.each(readable.map((peer) => [nameOf(peer), peer] as const))('%s', (_, peer) => {
  test.concurrent('a session that goes on in a second process is told as one', async () => {
    const script = sequence(
      { ...peer.shell('echo one; exit 3'), text: 'Looking.' },
      { text: 'First done.' },
      { ...peer.shell('echo two'), text: 'Again.' },
      { text: 'Second done.' },
    );
    await using stage = await createStage(peer, () => script);
    const first = stage.start({ permission: 'bypass' });
    const { sessionId, balance } = await first.end;
    const runs = [first];
    if (agentNamed(peer.agent)?.capabilities.resume && sessionId !== undefined) {
      const second = stage.start({ permission: 'bypass', prompt: 'and then?', resume: sessionId, balance });
      await second.end;
      runs.push(second);
    }
    const told = accountOf(runs.flatMap(({ events }) => events));
    if (COUNTS_AGAIN.has(peer.agent) && runs.length > 1) told.tokens = undefined;
    const disk = await readHome(peer, stage.sandbox.home, sessionId);
    expect(unexplained(`${peer.agent}/`, told, accountOf(disk))).toEqual([]);
    const prompts = disk.flatMap((event) =>
      event.type === 'user-message' && !event.synthetic ? [event.text.trim()] : [],
    );
    expect(prompts.slice(0, 2)).toEqual(['please go on', 'and then?'].slice(0, runs.length));
  });

  const { fork } = agentNamed(peer.agent)?.capabilities ?? {};
  test.skipIf(!fork).concurrent('a copy has its own part', async () => {
    await using stage = await createStage(peer, () => sequence({ text: 'Of the first.' }, { text: 'Of the copy.' }));
    const { sessionId, balance } = await stage.start({ permission: 'bypass' }).end;
    const copy = stage.start({ permission: 'bypass', prompt: 'elsewhere', resume: sessionId, fork: true, balance });
    const { sessionId: copyId } = await copy.end;
    const disk = await readHome(peer, stage.sandbox.home, copyId);
    expect(disk.flatMap((event) => (event.type === 'text-end' ? [event.text] : []))).toEqual(['Of the copy.']);
    expect(accountOf(disk).tokens).toEqual(accountOf(await readHome(peer, stage.sandbox.home, sessionId)).tokens);
  });
});

async function readHome(peer: Peer, home: string, session: string | undefined): Promise<AgentEvent[]> {
  const agent = agentNamed(peer.agent);
  if (!agent) throw new Error(`There is no agent ${peer.agent}.`);
  const places = transcriptFolders(agent, { env: {}, home });
  const found = (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
  const [conversation] = [...found.filter(({ sessionId }) => sessionId === session), ...found];
  if (!conversation) throw new Error('Nothing was found on disk.');
  return (await readConversation(conversation, openForeign)).events;
}
