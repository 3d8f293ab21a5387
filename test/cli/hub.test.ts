/** What a hub does not do for a command, in words; never as a failure of glassbox itself. */
import { expect, test } from 'vitest';
import { orRefusal } from '../../src/cli/hub.js';
import { ClientError } from '../../src/client/index.js';

test.each([
  ['refuses', new ClientError(403, 'forbidden', 'no.'), { code: 'forbidden', message: 'The hub refused it: no.' }],
  ['does not know', new ClientError(401, 'unauthorized', 'who?'), { code: 'unauthorized' }],
  [
    'cannot do',
    new ClientError(503, 'store', 'newer.'),
    { code: 'store', message: 'The hub cannot do it now: newer.' },
  ],
  ['does not answer', new TypeError('fetch failed'), { code: 'read-failed' }],
])('what it %s', async (_, error, told) => {
  await expect(orRefusal(Promise.reject(error))).rejects.toMatchObject(told);
});
