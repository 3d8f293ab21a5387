/** What was typed to agents is there in the next run: of the same directory, bounded, for its user alone, and nothing that looks like a secret. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHistory, typedHistory } from '../../src/cli/live/typed-history.js';
import { init, result, text } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { openTerminal } from './fake-run.js';

function history(cwd = '/project', place = temporaryDirectory()) {
  const process = { env: { GLASSBOX_STATE_DIR: place }, platform: 'linux' as const };
  return { ...typedHistory(process, cwd), file: path.join(place, 'typed.jsonl'), place, process };
}

describe('what was typed', () => {
  test('comes back in its order, in its directory only, from a file of the user alone', async () => {
    const { keep, read, file, place } = history();
    for (const line of ['first', 'two\nlines']) await keep(line);
    await history('/elsewhere', place).keep('other');
    expect(await read()).toEqual(['first', 'two\nlines']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a secret', 'use sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ-abcdefgh'],
    ['what begins with a blank', ' not this'],
    ['what is very long', 'x'.repeat(5000)],
  ])('is not kept: %s', async (_, line) => {
    const { keep, read } = history();
    await keep(line);
    expect(await read()).toEqual([]);
  });

  test('is bounded, and a damaged file harms nobody', async () => {
    const { keep, read, file, place } = history();
    mkdirSync(place, { recursive: true });
    const line = (number: number) => JSON.stringify({ cwd: '/project', text: `line ${number}` });
    writeFileSync(
      file,
      `${['{broken', 'null', ...Array.from({ length: 1500 }, (_, number) => line(number))].join('\n')}\n`,
    );
    await keep('last');
    const all = await read();
    expect([all.length, all.at(-1)]).toEqual([500, 'last']);
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(600);
    expect(await openHistory(history().process, { cwd: '/project', isWanted: false })).toEqual({ before: [] });
  });

  test('in one run is brought back by ↑ in the next', async () => {
    const [place, cwd] = [temporaryDirectory(), temporaryDirectory()];
    const env = { GLASSBOX_STATE_DIR: place };
    const heard = [init(), text('I work.'), { hear: 'a wish' }, result('ok'), { hearEnd: true }];
    const first = openTerminal(['run', 'claude', 'x', '--format=live'], heard, { env, cwd });
    await first.shows('I work.');
    first.type('a wish\r');
    await first.goesOn('a wish');
    // It waits for the end of what the agent does.
    await first.goesOn('takes it back');
    first.type('\u0003');
    await first.goesOn('again ends it');
    first.type('\u0003');
    await first.ended;
    expect(first.text()).toContain('typed and not said: a wish');
    const next = openTerminal(['run', 'claude', 'y', '--format=live'], [init(), text('I work.'), { hearEnd: true }], {
      env,
      cwd,
    });
    await next.shows('I work.');
    // The nearest is what this run began with.
    next.type('\u001b[A\u001b[A');
    await next.goesOn('> a wish▌');
    next.signal('SIGTERM');
    expect(await next.ended).toBe(143);
  });
});
