/**
 * Sessions that were gone on with, copied, summed up or held in a terminal: what the real program leaves of them on disk is what it printed, or what was
 * on its screen. `GLASSBOX_RECORD=<folder>` keeps each home with its streams, in the form of `test/archive/recordings/several`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { violations } from '../../src/agent/conformance/invariants.js';
import { findConversations, transcriptFolders } from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { createDecoder, requireAgent } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { accountOf } from '../archive/account.js';
import { unexplained } from '../archive/exceptions.js';
import { codex } from './agent/codex.js';
import { opencode } from './agent/opencode.js';
import { type Script, sequence } from './model/turn.js';
import type { Peer } from './peer.js';
import { createStage, type Stage } from './stage.js';
import { nameOf } from './table.js';
import { openTerminal } from './terminal.js';
import { keep, record } from './twin/record.js';

const PATIENCE = { timeout: 100_000, interval: 200 };

describe.each([codex, opencode].map((peer) => [nameOf(peer), peer] as const))('%s', (_, peer) => {
  /** By what was said so far: a program may ask for something beside the conversation, as for a title. */
  const turns = (): Script => (call) => {
    const said = JSON.stringify(call.body);
    if (!/and then\?|to the other place/.test(said))
      return said.includes('exit 3')
        ? { text: 'First done.' }
        : { ...peer.shell('echo one; exit 3'), text: 'Looking.' };
    return said.includes('echo two') ? { text: 'Second done.' } : { ...peer.shell('echo two'), text: 'Again.' };
  };

  test('resumed by a second process: one conversation', async () => {
    await using stage = await createStage(peer, turns);
    const first = await record(peer, stage);
    const sessionId = sessionIn(peer, first);
    const second = await record(peer, stage, { prompt: 'and then?', resume: sessionId });
    keep(peer, 'resumed', stage, [first, second]);
    const told = accountOf([...decoded(peer, first), ...decoded(peer, second, 'second')]);
    // Its streams count the whole session in each process, so that two of them do not add up.
    if (peer.agent === 'codex') told.tokens = undefined;
    expect(unexplained(`${peer.agent}/resumed`, told, accountOf(await disk(peer, stage, sessionId)))).toEqual([]);
  });

  test('copied by a second process: the copy has its own part', async () => {
    await using stage = await createStage(peer, turns);
    const first = await record(peer, stage);
    const sessionId = sessionIn(peer, first);
    const copy = await record(peer, stage, { prompt: 'to the other place', resume: sessionId, fork: true });
    const copyId = sessionIn(peer, copy);
    keep(peer, 'forked', stage, [copy]);
    expect(copyId).not.toBe(sessionId);
    expect(textsIn(await disk(peer, stage, copyId))).toEqual(['Again.', 'Second done.']);
    expect(textsIn(await disk(peer, stage, sessionId))).toEqual(['Looking.', 'First done.']);
  });

  test('held in a terminal, and gone on with by a process without one', async () => {
    await using stage = await createStage(peer, turns);
    await using terminal = openTerminal(stage, peer.agent === 'codex' ? CODEX_OPEN : ['--auto']);
    await expect.poll(terminal.look, PATIENCE).toMatch(peer.agent === 'codex' ? /›/ : /Ask anything/);
    terminal.type('please go on');
    await expect.poll(terminal.read, PATIENCE).toContain('please go on');
    await expect
      .poll(
        () => {
          if (!terminal.read().includes('First done.')) terminal.type('\r');
          return terminal.read();
        },
        { ...PATIENCE, interval: 2000 },
      )
      .toContain('First done.');
    const spoken = () => disk(peer, stage, undefined).then(textsIn, () => []);
    await expect.poll(spoken, PATIENCE).toEqual(['Looking.', 'First done.']);
    await terminal[Symbol.asyncDispose]();
    const [{ sessionId } = {}] = await disk(peer, stage, undefined);
    const second = await record(peer, stage, { prompt: 'and then?', resume: sessionId });
    keep(peer, 'interactive', stage, [second]);
    const events = await disk(peer, stage, sessionId);
    expect(textsIn(events)).toEqual(['Looking.', 'First done.', 'Again.', 'Second done.']);
    expect(promptsIn(events)).toEqual(['please go on', 'and then?']);
  });
});

const CODEX_OPEN = ['--dangerously-bypass-approvals-and-sandbox'];

test('codex summed up: what was said before and after is there, and that it was summed up', async () => {
  await using stage = await createStage(codex, () =>
    sequence(
      { ...codex.shell('echo one'), text: 'Looking.' },
      { text: 'The summary.' },
      { text: 'Done.' },
      { text: 'Done.' },
    ),
  );
  const config = join(stage.sandbox.home, '.codex', 'config.toml');
  // Any call is more than that.
  writeFileSync(config, `model_auto_compact_token_limit = 20\n${readFileSync(config, 'utf8')}`);
  const stdout = await record(codex, stage);
  keep(codex, 'compacted', stage, [stdout]);
  const events = await disk(codex, stage, sessionIn(codex, stdout));
  expect(events.map(({ type }) => type)).toContain('compaction-end');
  expect(unexplained('codex/compacted', accountOf(decoded(codex, stdout)), accountOf(events))).toEqual([]);
});

/** Of each process under a name of its own, because two may give the same id to two calls. */
function decoded(peer: Peer, stdout: Buffer, runId = 'first'): AgentEvent[] {
  const decoder = createDecoder(requireAgent(peer.agent), { runId });
  return [...decoder.push(stdout), ...decoder.end()];
}

function sessionIn(peer: Peer, stdout: Buffer): string | undefined {
  return accountOf(decoded(peer, stdout)).session;
}

async function disk(peer: Peer, { sandbox }: Stage, session: string | undefined): Promise<AgentEvent[]> {
  const agent = requireAgent(peer.agent);
  const places = transcriptFolders(agent, { env: {}, home: sandbox.home });
  const found = (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
  const [conversation] = found.filter(({ sessionId }) => session === undefined || sessionId === session);
  if (!conversation) throw new Error('Nothing was found on disk.');
  const { events } = await readConversation(conversation, openForeign);
  expect(violations(events)).toEqual([]);
  return events;
}

const textsIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'text-end' ? [event.text] : []));
const promptsIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'user-message' && !event.synthetic ? [event.text.trim()] : []));
