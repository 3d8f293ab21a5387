#!/usr/bin/env node
/** An agent that says a word every two milliseconds and when it said it, by the clock that all processes share. */
const COUNT = 300;
const now = () => performance.timeOrigin + performance.now();
const say = (line) => process.stdout.write(`${JSON.stringify({ session_id: 's', ...line })}\n`);
const event = (facts) => say({ type: 'stream_event', parent_tool_use_id: null, at: now(), event: facts });

say({ type: 'system', subtype: 'init', model: 'ticker' });
event({ type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [] } });
event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
let said = 0;
const timer = setInterval(() => {
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } });
  said += 1;
  if (said < COUNT) return;
  clearInterval(timer);
  say({ type: 'result', subtype: 'success', is_error: false, result: 'done' });
}, 2);
