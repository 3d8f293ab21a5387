/** Whether the one who answers is the server that somebody knows: he says so with his key, for a number that was just drawn. */
import { isSignature, randomText, statement } from '../proof/index.js';
import type { Hello } from './api.js';

/** Somebody else answers at this address. Nothing was said to him. */
export class ForeignServer extends Error {
  constructor() {
    super('Something else answers at this address. Nothing was sent to it.');
    this.name = 'ForeignServer';
  }
}

const AWAY = new Set([429, 502, 503, 504]);

/** What requests to it must be signed for. Throws a `ForeignServer` when it is another one. */
export async function verifyServer(origin: string, serverKey: string, send: typeof fetch = fetch): Promise<string> {
  const nonce = randomText();
  const answer = await send(`${origin}/api/hello?${new URLSearchParams({ origin, nonce })}`);
  // Whoever stands in front of the server says that nobody is behind him, or the server that it cannot say anything yet.
  if (AWAY.has(answer.status)) throw new Error(`The server is away (${answer.status}).`);
  const { boot, proof } = await readHello(answer);
  if (!(await isSignature(serverKey, statement.hello({ origin, boot, nonce }), proof))) throw new ForeignServer();
  return boot;
}

/** Whatever is no such answer does not come from glassbox. */
async function readHello(response: Response): Promise<Hello> {
  const body = (await response.json().catch(() => undefined)) as Partial<Hello> | undefined;
  const { boot = '', proof = '' } = body ?? {};
  return { boot, proof };
}
