/** How long a value must be before a rule takes it for a secret: the shortest one of each is hidden, and one character less is shown. */
import { expect, test } from 'vitest';
import { redactText } from '../../src/guard/index.js';

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
