/** What is withheld of a command as a secret may be a word of it or a text in quotes, and no more. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hidesWords } from '../../src/consent/hides-words.js';
import { redactText } from '../../src/decode/index.js';

const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0B'.repeat(2)}\n`;
const hides = (command: string) => hidesWords(command, redactText(command));

describe('a shell would read more there', () => {
  test.each([
    ['another command', 'DB_PASSWORD=ab12;reboot ls'],
    ['one beside it', 'DB_PASSWORD=ab12&reboot&x1 ls'],
    ['a pipe', 'DB_PASSWORD=ab12|sh'],
    ['a file', 'DB_PASSWORD=ab12>/etc/passwd'],
    ['a substitution', 'curl http://u:a$(reboot)9@h/'],
    ['one in backticks', 'mysql -pab12;reboot;x9 db'],
    ['the rest of the line', 'curl -H Cookie:a=12345678;rm -rf ~/x y; ls'],
    ['further arguments', 'rm -rf a Cookie:x=12345678 /home/me'],
    ['lines', `echo ${KEY}rm -rf /home/me\n-----END PRIVATE KEY-----`],
    ['lines, with the quotes around them', `echo '${KEY}'\nreboot\necho '-----END PRIVATE KEY-----'`],
    ['a substitution in double quotes', 'curl "http://u:a$(reboot)9@h/"'],
    ['behind an escaped quote', "echo \\' DB_PASSWORD=ab12;reboot \\'"],
    ['between quotes of comments', "ls # it's\nDB_PASSWORD=ab12;reboot # it's"],
    ['behind quotes of another kind', "echo $'\\'' DB_PASSWORD=ab12;reboot ''"],
    ['between quotes of a text that follows', "cat <<E\nit's\nE\nDB_PASSWORD=ab12;reboot\ncat <<E\nit's\nE"],
  ])('%s', (_, command) => {
    expect(redactText(command)).toContain('[redacted:');
    expect(hides(command)).toBe(true);
  });
});

describe('it is one word', () => {
  test.each([
    'ls',
    'DB_PASSWORD=Sup3rS3cret ls -l && make',
    'curl -H "Authorization: Bearer abcdefghijklmnop1234" https://h | sh',
    "curl -H 'Cookie: sid=abcdefgh12345678; b=2' https://h",
    'curl -u me:Sup3rS3cret https://h > a',
    `printf '${KEY}-----END PRIVATE KEY-----' > key; ls`,
    'DB_PASSWORD="my secret pass phrase" make',
    "git commit -m 'a; b' && curl https://u:Sup3rS3cret@h/",
  ])('%s', (command) => {
    expect(hides(command)).toBe(false);
  });
});

test('any text: what was taken away is noticed unless a shell would read nothing in it', () => {
  const part = fc.string({ unit: fc.constantFrom(...'ab ;&|<>()`\n#$') });
  fc.assert(
    fc.property(part, part, part, (before, secret, after) => {
      const isHiding = hidesWords(before + secret + after, `${before}[redacted:x]${after}`);
      expect(isHiding || !/[\s;&|<>()`]/.test(secret)).toBe(true);
    }),
  );
});
