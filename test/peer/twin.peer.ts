/**
 * What every real agent leaves on disk tells what it printed, whatever went wrong meanwhile. `GLASSBOX_RECORD=<folder>` keeps each home with its
 * stream, in the form of `test/archive/recordings/homes`.
 */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { violations } from '../../src/agent/conformance/invariants.js';
import { findConversations, transcriptFolders } from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { createDecoder, requireAgent } from '../../src/decode/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { accountOf, withoutSubAgents } from '../archive/account.js';
import { unexplained } from '../archive/exceptions.js';
import { PEERS } from './agents.js';
import type { Script } from './model/turn.js';
import type { Peer } from './peer.js';
import { createStage } from './stage.js';
import { nameOf } from './table.js';
import { keep, record } from './twin/record.js';
import { SCENES, type Scene } from './twin/scenes.js';
import { TOOL_BOXES } from './twin/tool-box.js';

const readable = PEERS.filter(({ agent }) => requireAgent(agent).transcripts);

describe.each(readable.map((peer) => [nameOf(peer), peer] as const))('%s', (_, peer) => {
  test.concurrent.each(SCENES.map((scene) => [scene.name, scene] as const))('%s', async (_name, scene) => {
    const agent = requireAgent(peer.agent);
    let isPlayed = true;
    await using stage = await createStage(peer, (sandbox) => {
      writeFileSync(sandbox.file('README.md'), '# Demo\n\nA demo.\n');
      const turns = scene.turns(peer, TOOL_BOXES[peer.agent] ?? {}, sandbox);
      isPlayed = turns !== undefined;
      return scriptOf(peer, turns ?? []);
    });
    if (!isPlayed) return;
    const stdout = await record(peer, stage, { signal: scene.signal });
    keep(peer, scene.name, stage, [stdout]);
    const decoder = createDecoder(agent, { runId: 'stream' });
    const told = [...decoder.push(stdout), ...decoder.end()];
    const stream = accountOf(told);
    const places = transcriptFolders(agent, { env: {}, home: stage.sandbox.home });
    const found = (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
    const [conversation] = [...found.filter(({ sessionId }) => sessionId === stream.session), ...found];
    if (!conversation) throw new Error(`Nothing was found on disk; the stream has ${told.length} events.`);
    const { events } = await readConversation(conversation, openForeign);
    expect(violations(events)).toEqual([]);
    expect(events.filter(({ type }) => type === 'unknown' || type === 'decode-error')).toEqual([]);
    const disk = accountOf(withoutSubAgents(told, events));
    expect(unexplained(`${peer.agent}/${scene.name}`, stream, disk)).toEqual([]);
  });
});

/** Sub-agents do two things of their own, fail, or have one of their own. */
function scriptOf(peer: Peer, turns: ReturnType<Scene['turns']> & object): Script {
  let at = 0;
  let sub = 0;
  const { delegateAndWait, delegate } = TOOL_BOXES[peer.agent] ?? {};
  const nested = (delegateAndWait ?? delegate)?.('INNER-MARK work please');
  const said = ['echo sub says hi', 'echo sub fails; exit 4'].map((command) => peer.shell(command));
  let isNested = false;
  return ({ text, body }) => {
    const isMain = text.includes('please go on');
    if (!isMain && text.includes('SUB-FAILS')) return { status: 400, message: 'the sub-agent is broken' };
    if (!isMain && text.includes('SUB-NESTS') && nested && !isNested) {
      isNested = true;
      return { text: 'Sub delegates.', tools: [nested] };
    }
    if (!isMain && text.includes('INNER-MARK') && !text.includes('SUB-MARK')) return end(body, 'Inner is done.');
    if (!isMain && text.includes('SUB-NESTS')) return end(body, 'Sub is done.');
    if (!isMain && text.includes('SUB-MARK'))
      return said[sub] ? { ...said[sub++], text: `Sub step ${sub}.` } : end(body, 'Sub is done.');
    return turns[Math.min(at++, turns.length - 1)] ?? { text: 'nothing more to say' };
  };
}

/** Gemini's sub-agents say by a tool that they are done. */
function end(body: Record<string, unknown>, response: string): ReturnType<Script> {
  const result = { response };
  return JSON.stringify(body.tools).includes('"complete_task"')
    ? { tools: [{ name: 'complete_task', input: { result } }] }
    : { text: response };
}
