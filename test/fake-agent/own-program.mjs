#!/usr/bin/env node
/**
 * A stand-in for an agent that also has an interactive program of its own: headless it is the fake agent; on a terminal it takes another
 * screen, hears one line, and writes down what was said there as the real one does. `die` ends it without a word, `stop` stops it first.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

if (process.argv.includes('--print') || process.argv.includes('--version')) await import('./fake-agent.mjs');
else {
  const id = process.argv.at(-1);
  process.stdin.setRawMode(true);
  process.stdout.write(`\x1b[?1049h\x1b[?25lOWN PROGRAM of ${id}\r\n`);
  let line = '';
  process.stdin.setEncoding('utf8').on('data', (keys) => {
    line += keys;
    if (!line.includes('\r')) return;
    const said = line.replace(/\r.*/s, '');
    line = '';
    if (said === 'die') process.kill(process.pid, 'SIGKILL');
    else if (said === 'stop') process.kill(process.pid, 'SIGSTOP');
    else end(id, said);
  });
  process.on('SIGCONT', () => process.stdout.write('AWAKE AGAIN\r\n'));
}

function end(id, said) {
  const at = new Date().toISOString();
  const folder = join(process.env.HOME, '.claude', 'projects', '-project');
  const line = (uuid, parentUuid, message) =>
    JSON.stringify({ type: message.role, uuid, parentUuid, sessionId: id, timestamp: at, cwd: process.cwd(), message });
  const answer = [{ type: 'text', text: `There I heard: ${said}` }];
  const lines = [
    line('u1', null, { role: 'user', content: said }),
    line('u2', 'u1', { role: 'assistant', id: 'msg_there', model: 'fake', content: answer, stop_reason: 'end_turn' }),
  ];
  if (said !== '') {
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
  }
  process.stdin.setRawMode(false);
  process.stdout.write('\x1b[?25h\x1b[?1049l');
  process.exit(0);
}
