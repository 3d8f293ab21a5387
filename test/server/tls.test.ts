/** A hub that speaks https: to who trusts its certificate, and to nobody in plain words. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../fake-agent/play.js';
import { serve } from './serve.js';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

test.skipIf(!hasOpenssl)('https is spoken with the certificate, and plain http is not', async () => {
  const folder = temporaryDirectory();
  const at = (file: string): string => path.join(folder, file);
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', at('key.pem'), '-out', at('cert.pem'), '-days', '2', '-nodes'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...files, ...subject],
    {
      stdio: 'ignore',
    },
  );
  const [cert, key] = ['cert.pem', 'key.pem'].map((file) => readFileSync(at(file), 'utf8')) as [string, string];
  const { server } = await serve([], { tls: { cert, key } });
  expect(server.url).toMatch(/^https:/);
  const ask = (options: { ca?: string }): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get(`${server.url}/health`, { ...options, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      }).on('error', reject);
    });
  expect(await ask({ ca: cert })).toBe(200);
  await expect(ask({})).rejects.toThrow(/self.signed/i);
  await expect(fetch(server.url.replace('https:', 'http:'))).rejects.toThrow();
});
