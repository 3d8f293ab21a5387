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
  'MAX_TOKEN=4096',
  'case TOKEN: IDENTIFIER',
  'case SECRET: return Hidden;',
  'STORAGE_KEY = "todos-vuejs-2.0"',
  'licenseKey: GPL-3.0-or-later',
  'accessKey: "alt+shift+1"',
  'storageKey: "vueuse-color-scheme2"',
  "Tokenizer.CHARACTER_TOKEN = 'CHARACTER_TOKEN';",
  "export const RESET_PASSWORD = 'RESET_PASSWORD';",
  "FORGOT_PASSWORD: '/forgot-password', WRONG_PASSWORD: 'auth/wrong-password'",
  'const TOKEN=getToken(request);',
  'var API_KEY=e.env("API_KEY"),n=t(3);',
  'INVALID_PASSWORD="The password is not right"',
  "INVALID_PASSWORD='Passwords do not match.'",
  '  password: required\n  token: optional\n',
  '  password: hashedPassword\n}',
  'Password: enter your password and press return\n',
  'interface Login {\n  password: string\n  passphrase?: string\n}',
  '<password>string</password> <Token>Identifier</Token> <password>{password}</password>',
  '<input type="password" name="password">text</input>',
  'for each login try password and token',
  'mkdir -p build/output && cp -pr a b',
  'docker run -p 127.0.0.1:8080:80/tcp -u 1000:1000 image',
  'mysql -u root -p app && mysql -P 3306 -h localhost',
  'ENV PATH /usr/local/bin:$PATH\nENV NODE_VERSION 20.19.0',
  'ENV DB_PASSWORD $DB_PASSWORD',
  'Cookie: the browser sends what Set-Cookie: said before',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the point
  'headers: { cookie: `a=${value}` }',
  'https://host/search?signature=short&sig=abc',
  'signature: Promise<Uint8Array>, sig=verify(message)',
  '?TOKEN=short&next=1',
  'rsync -u host:path /tmp && git push -u origin main:main',
  'https://a-very-long-host-name-without-dots/@scope/name@1.2.3',
  'https://user-name-with-words@host.example/',
  'oci://registry:tag/image@sha256 npm://scope:name/pkg@latest',
  // Things that are long and look random.
  'sha256~ and 1Q~ and s.someVeryLongPropertyNameHere and this.s.abcdefghijklmnopqrstuvwx',
  'cio-library-with-a-very-long-name-of-words, pa-class-name-that-is-longer-than-forty-characters',
  'key-3f786850e387550fdab836ed7e6dc881de23001b re_export_all_of_these_names fw_bold_and_italic',
  '3f786850e387550fdab836ed7e6dc881-us-east-1 secret_santa_names_of_this_year',
  '12345678:ABCDEFGHIJKLMNOPQRSTUVWXYZ 2026-01-01T00:00:00 1.2.3.4:8080',
  'MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
  'data:font/woff2;base64,EAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
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

test.for(['test/recordings', '../shared/recordings'])('no text of any recording in %s is changed', (root, context) => {
  if (!existsSync(root)) {
    console.log(`skipped: ${root} is not here`);
    return context.skip();
  }
  const changed = new Set<string>();
  let read = 0;
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.jsonl$/.test(file)) continue;
    for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
      for (const text of textsOf(parse(line))) {
        read += 1;
        if (redactText(text) !== text) changed.add(`${file}: ${redactText(text)}`);
      }
    }
  }
  expect([...changed]).toEqual([]);
  expect(read).toBeGreaterThan(10_000);
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
