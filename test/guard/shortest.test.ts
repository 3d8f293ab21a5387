/** How long a value must be before a rule takes it for a secret: the shortest one of each is hidden, and one character less is shown. */
import { expect, test } from 'vitest';
import { createRedactor, redactText } from '../../src/guard/index.js';

/** Letters and digits in turn: what every rule takes for a secret when it is long enough. */
const mixed = (length: number) => 'a1B2c3D4e5F6g7H8i9J0'.repeat(8).slice(0, length);

const CASES: [rule: string, atLeast: number, write: (value: string) => string][] = [
  ['authorization', 4, (value) => `Authorization: Basic ${value} end`],
  ['authorization', 12, (value) => `Authorization: ${value} end`],
  ['cookie', 8, (value) => `Cookie: a=${value}`],
  ['signature', 20, (value) => `/x?sig=${value}`],
  ['url-password', 1, (value) => `https://me:${value}@host`],
  ['url-password', 4, (value) => `https://me:${value.slice(0, -1)}/@host`],
  ['basic-password', 3, (value) => `curl -u me:${value} https://host`],
  ['credential', 4, (value) => `sshpass -p ${value} ssh host`],
  ['credential', 4, (value) => `docker login -u me -p ${value} host`],
  ['credential', 4, (value) => `mysql -u root -p${value} db`],
  ['credential', 4, (value) => `machine a login me password ${value}\n`],
  ['credential', 4, (value) => `ENV DB_PASSWORD ${value}\n`],
  ['credential', 6, (value) => `<password>${value}</password>`],
  ['credential', 4, (value) => `DB_PASSWORD=${value.slice(0, -1)}& next`],
  ['credential', 4, (value) => `DB_PASSWORD="${value.slice(0, -2)} b"`],
  ['credential', 4, (value) => `DB_PASSWORD=${value} next`],
  ['credential', 6, (value) => `password: "${value}"`],
  ['credential', 8, (value) => `clientSecret: "${value}"`],
  ['credential', 8, (value) => `token: "${value}"`],
  ['credential', 12, (value) => `token: ${value}`],
  ['credential', 16, (value) => `appKey: "${value}"`],
  ['credential', 6, (value) => `deploy --password ${value} now`],
  ['bearer-token', 20, (value) => `Bearer ${value}`],
];

test.each(CASES)('%s, %d characters: %s', (rule, atLeast, write) => {
  expect(redactText(write(mixed(atLeast)))).toContain(`[redacted:${rule}]`);
  const short = write(mixed(atLeast - 1));
  expect(redactText(short)).toBe(short);
});

test.each([
  ['letters behind a quote', 16, (value: string) => `clientSecret: "${value}"`],
  ['letters of a password on a line of its own', 8, (value: string) => `  password: ${value}\n`],
])('%s, %d characters', (_, atLeast, write) => {
  const letters = 'correcthorsebatterystaple';
  expect(redactText(write(letters.slice(0, atLeast)))).toContain('[redacted:credential]');
  const short = write(letters.slice(0, atLeast - 1));
  expect(redactText(short)).toBe(short);
});

test('digits of a password on a line of its own: four', () => {
  expect(redactText('  password: 1234\n')).toContain('[redacted:credential]');
  expect(redactText('  password: 123\n')).toBe('  password: 123\n');
});

/** A rule is sure after at most 128 characters; what follows belongs to the secret too. */
test.each(CASES)('%s, far longer than %d characters: %s', (_, __, write) => {
  const text = write(`${mixed(150)}${'zZ9y8'.repeat(60)}`);
  const shown = redactText(text);
  expect(shown).toContain('[redacted:');
  expect(shown).not.toContain('zZ9y8');
  const redactor = createRedactor();
  expect([...text].map((letter) => redactor.push(letter)).join('') + redactor.end()).toBe(shown);
});

test('a port with a long query or anchor is no password', () => {
  const long = mixed(150).repeat(3);
  for (const text of [`http://localhost:8080?q=${long}`, `http://host:80#${long}`, `http://host:80/${long}`])
    expect(redactText(text)).toBe(text);
});
