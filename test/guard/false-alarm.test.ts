import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redactText } from '../../src/guard/index.js';

const HARMLESS = [
  // Types, references and calls behind telling names.
  'function login(password: string, token?: string): Promise<boolean>',
  'const token = getToken(request);',
  'const password = process.env.DB_PASSWORD;',
  'apiKey: config.apiKey1,',
  'secretKey: Uint8Array;',
  'API_KEY = os.environ["API_KEY"]',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the point
  'API_KEY=$API_KEY PASSWORD=${PASSWORD:-} TOKEN=<your token> SECRET=***',
  'password: "{{ vault_password }}"',
  "Authorization: 'Bearer ' + token",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the point
  'Authorization: Bearer ${token}',
  'Authorization: Bearer tokens are required.',
  '"password": { "type": "string", "minLength": 12 }',
  '"password": "Passwort", "token": "required"',
  'token: "color-gray-100"',
  'nextPageToken: "CAUQAA1234567890"',
  'input_tokens: 1234, max_tokens=4096',
  'PWD=/home/user/project OLDPWD=/tmp/a',
  'GOOGLE_APPLICATION_CREDENTIALS=/etc/keys/app.json',
  'primary_key=True, foreign_key: "users.id42", publicKey: "abcdef123456"',
  // Things that are long and look random.
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'session 550e8400-e29b-41d4-a716-446655440000',
  'toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL call_abc123DEF456ghi789JKL012',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 user@host',
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKj34GkxFhD90vcNLYLInFEX6Ppy\n-----END PUBLIC KEY-----',
  "if (text.includes('-----BEGIN PRIVATE KEY-----')) return 'a key';",
  'task-ant-colony-optimization-of-routes, sk-folding-cube-animation-wrapper',
  'npm_config_cache npm_package_version hf_transfer_enabled_by_default',
  // Addresses.
  'http://localhost:3000/@vite/client https://host:8443/a@b git@github.com:a/b.git',
  'https://user@host/x mailto:someone@example.org postgres://user:$PASSWORD@host/db',
  'curl -u "$USER:$PASS" https://host && docker run -u 1000:1000 image',
  'src/authorization/token-service.test.ts:42:7 - error TS2322',
];

test.each(HARMLESS)('leaves alone: %s', (text) => {
  expect(redactText(text)).toBe(text);
});

test('no text of any recording is changed', (context) => {
  const root = '../shared/recordings';
  if (!existsSync(root)) {
    console.log(`skipped: ${root} is not here`);
    return context.skip();
  }
  const changed = new Set<string>();
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.jsonl?$/.test(file)) continue;
    for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
      for (const text of textsOf(parse(line)))
        if (redactText(text) !== text) changed.add(`${file}: ${redactText(text)}`);
    }
  }
  expect([...changed]).toEqual([]);
});

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
