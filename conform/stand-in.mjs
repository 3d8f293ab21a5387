// @ts-check
/**
 * A scripted agent for vendors' SDKs: waits until it is spoken to, as an agent does, answers what an SDK asks before anything else,
 * prints the bytes of the stream, and ends well.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const LF = 0x0a;
/** Real agents tidy up before they go, and some SDKs miss the end of one that does not. */
const TIDY_MS = 250;

const input = createInterface({ input: process.stdin });
let answer = await new Promise((resolve) => {
  input.once('line', (line) => resolve(answerTo(line)));
  input.once('close', () => resolve(''));
});
for await (const bytes of createReadStream(process.env.GLASSBOX_CONFORM_STREAM ?? '')) {
  // After the first line, so that the stream begins and ends with its own bytes.
  const at = bytes.indexOf(LF) + 1;
  await write(bytes.subarray(0, at));
  if (at > 0) await write(answer);
  if (at > 0) answer = '';
  await write(bytes.subarray(at));
}
await write(answer);
await sleep(TIDY_MS);
process.exit(0);

/** @param {string} line */
function answerTo(line) {
  const { type, request_id: id } = JSON.parse(line.startsWith('{') ? line : '{}');
  if (type !== 'control_request') return '';
  const response = { subtype: 'success', request_id: id, response: {} };
  return `${JSON.stringify({ type: 'control_response', response })}\n`;
}

/** @param {string | Uint8Array} bytes */
function write(bytes) {
  return new Promise((resolve) => process.stdout.write(bytes, resolve));
}
