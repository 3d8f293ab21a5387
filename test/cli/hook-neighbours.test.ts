/** Several processes of glassbox on one machine: a question that a hook brings reaches the page whichever of them listens, and follows the session. */
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '../../src/client/index.js';
import { payload } from '../hook/hearing.js';
import { comeIn } from '../server/as-browser.js';
import { type Started, start } from './glassbox.js';

const SESSION = '51e8d126-ddd2-4f02-ba59-6439f2410eb3';
const ALLOWED = { hookSpecificOutput: { decision: { behavior: 'allow' } } };

test('who watches first hears the hooks, the page is asked all the same, and takes over when that one is killed', async () => {
  const place = createPlace();
  const watching = await watchAll(place);
  const page = await openPage(place);
  expect(await page.approved(place.ask())).toMatchObject(ALLOWED);
  watching.child.kill('SIGKILL');
  await watching.ended;
  await expect.poll(() => place.reaches()).toBe(true);
  expect(await page.approved(place.ask())).toMatchObject(ALLOWED);
});

test('who hears the hooks need not be the one that follows the session', async () => {
  const place = createPlace();
  const page = await openPage(place, '--watch', join(place.home, 'nothing'));
  await watchAll(place);
  expect(await page.approved(place.ask())).toMatchObject(ALLOWED);
});

type Place = ReturnType<typeof createPlace>;

/** A home in which a session of Claude Code goes on. */
function createPlace() {
  const home = mkdtempSync(join(tmpdir(), 'gb-'));
  const folder = join(home, '.claude/projects/-repo');
  const file = join(folder, `${SESSION}.jsonl`);
  const socket = join(home, 's/hooks/hook.sock');
  mkdirSync(folder, { recursive: true });
  const say = (role: 'user' | 'assistant', text: string) => {
    const content = role === 'user' ? text : [{ type: 'text', text }];
    const [uuid, timestamp] = [crypto.randomUUID(), new Date().toISOString()];
    const line = {
      type: role,
      uuid,
      sessionId: SESSION,
      cwd: '/repo',
      timestamp,
      message: { id: uuid, role, content },
    };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
  return {
    home,
    say,
    env: {
      HOME: home,
      CLAUDE_CONFIG_DIR: undefined,
      GLASSBOX_STORE: join(home, 'store.db'),
      GLASSBOX_CONFIG: join(home, 'none.json'),
      GLASSBOX_STATE_DIR: join(home, 's'),
    },
    /** As the command of a hook does. */
    ask: () =>
      new Promise<unknown>((resolve) => {
        const asked = payload('PermissionRequest-Bash', { session_id: SESSION, cwd: '/repo', transcript_path: file });
        const connection = connect(socket, () => connection.write(JSON.stringify(asked)));
        let said = '';
        connection.setEncoding('utf8').on('data', (more: string) => {
          said += more;
        });
        connection.on('error', () => {});
        connection.once('close', () => resolve(said === '' ? undefined : JSON.parse(said)));
      }),
    /** Whether anybody listens. */
    reaches: () =>
      new Promise<boolean>((resolve) => {
        const connection = connect(socket, () => {
          connection.destroy();
          resolve(true);
        }).once('error', () => resolve(false));
      }),
  };
}

async function watchAll({ env, say }: Place): Promise<Started> {
  const started = begin(['watch', '--all'], env);
  // It says when it watches: what was written long before is history.
  await once(started.child.stderr, 'data');
  say('user', 'please go on');
  say('assistant', 'Let me look.');
  await started.printed('Let me look.');
  return started;
}

async function openPage(place: Place, ...flags: string[]) {
  const started = begin(['serve', '--port=0', '--no-open', '--project', place.home, ...flags], place.env);
  let output = '';
  started.child.stdout.on('data', (piece: string) => {
    output += piece;
  });
  await started.printed('/#login=');
  await started.printed('\n\n');
  const link = /http:\S+/.exec(output)?.[0] ?? '';
  const browser = await comeIn(new URL(link).origin, link);
  const client: Client = createClient({ fetch: (target, init) => browser.fetch(target, init) });
  const seen = new Set<string>();
  const approving: Promise<void>[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  void (async () => {
    for await (const message of client.watchSessions({ signal: stop.signal })) {
      open();
      if (message.type === 'presence') continue;
      for (const { runId, request } of message.approvals) {
        if (seen.has(request.id)) continue;
        seen.add(request.id);
        approving.push(client.approve(runId, request.id));
      }
    }
  })().catch(() => {});
  await isOpen;
  return {
    /** What the hook hears after somebody who looks said yes. */
    async approved(answer: Promise<unknown>) {
      const said = await answer;
      await Promise.all(approving);
      return said;
    },
  };
}

function begin(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const started = start(args, env);
  onTestFinished(async () => {
    started.child.kill('SIGKILL');
    await started.ended;
  });
  return started;
}
