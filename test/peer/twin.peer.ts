/**
 * What every real agent leaves on disk tells what it printed, whatever went wrong meanwhile. `GLASSBOX_RECORD=<folder>` keeps each home with its
 * stream, in the form of `test/archive/recordings/homes`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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
import { processesWith } from './sandbox.js';
import { createStage, type Stage } from './stage.js';
import { nameOf } from './table.js';
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
    const stdout = await record(peer, scene, stage);
    keep(peer, scene, stage, stdout);
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

async function record(peer: Peer, scene: Scene, { program, sandbox, env }: Stage): Promise<Buffer> {
  const prompt = 'please go on';
  const request = { mode: 'one-shot', permission: 'bypass', cwd: sandbox.cwd, deltas: false, prompt } as const;
  const started = requireAgent(peer.agent).command({ ...request, model: peer.request?.model });
  const { stdin, env: more } = started;
  // One that glassbox only talks to prints for others.
  const args = stdin.kind === 'lines' ? ['-p', prompt, ...requireAgent(peer.agent).outputFlags] : started.args;
  const [file = '', ...before] = /\.m?js$/.test(program) ? [process.execPath, program] : [program];
  const child = spawn(file, [...before, ...args], {
    cwd: sandbox.cwd,
    env: { ...process.env, ...env, ...more },
    detached: true,
  });
  child.stdin.on('error', () => {}).end(stdin.kind === 'text' ? stdin.text : '');
  child.stderr.resume();
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(child, 'close');
  if (scene.signal) {
    const looking = setInterval(() => {
      if (!existsSync(sandbox.file('begun.txt')) || !child.pid) return;
      clearInterval(looking);
      process.kill(-child.pid, scene.signal);
    }, 50);
    void ended.then(() => clearInterval(looking));
  }
  // Some programs stay after their answer.
  const killer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 120_000);
  await ended;
  clearTimeout(killer);
  for (const pid of processesWith(sandbox.folder)) process.kill(pid, 'SIGKILL');
  return Buffer.concat(chunks);
}

function keep(peer: Peer, scene: Scene, { sandbox }: Stage, stdout: Buffer): void {
  const root = process.env.GLASSBOX_RECORD;
  if (!root) return;
  const folder = join(root, nameOf(peer).replace(' ', '-'), scene.name);
  for (const place of transcriptFolders(requireAgent(peer.agent), { env: {}, home: sandbox.home })) {
    if (!existsSync(place)) continue;
    const to = join(folder, 'home', relative(sandbox.home, place));
    mkdirSync(to, { recursive: true });
    cpSync(place, to, { recursive: true });
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'stream.jsonl'), stdout);
}
