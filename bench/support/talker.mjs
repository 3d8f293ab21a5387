#!/usr/bin/env node
/** An agent that talks without end, ten words a second, and calls a tool now and then. */
const say = (line) => process.stdout.write(`${JSON.stringify({ session_id: `s${process.pid}`, ...line })}\n`);
const event = (facts) => say({ type: 'stream_event', parent_tool_use_id: null, event: facts });
const PERIOD_MS = 100;
const WORDS = 40;

if (process.argv.includes('--version')) {
  console.log('1.0.0 (Talker)');
  process.exit(0);
}
say({ type: 'system', subtype: 'init', model: 'talker' });
let said = 0;
setInterval(() => {
  const id = `m${Math.floor(said / WORDS)}`;
  const word = said % WORDS;
  said += 1;
  if (word === 0) {
    event({ type: 'message_start', message: { id, type: 'message', role: 'assistant', content: [] } });
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  }
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } });
  if (word < WORDS - 1) return;
  const call = { type: 'tool_use', id: `t${id}`, name: 'Bash', input: { command: 'ls' } };
  const content = [{ type: 'text', text: 'word '.repeat(WORDS) }, call];
  say({ type: 'assistant', message: { id, type: 'message', role: 'assistant', content } });
  const outcome = { type: 'tool_result', tool_use_id: call.id, content: 'a file\n'.repeat(50) };
  say({ type: 'user', message: { role: 'user', content: [outcome] } });
}, PERIOD_MS);
