import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactText } from '../../src/guard/index.js';
import { compile } from '../../src/guard/pattern.js';
import { redactionOf } from '../../src/guard/redact.js';
import { CONTEXT_RULES, PROPERTY_RULE, WORD_RULES } from '../../src/guard/rules.js';
import { createScan, type Redactor } from '../../src/guard/scan.js';
import { SAMPLES } from './samples.js';

const RULES = [...WORD_RULES, ...CONTEXT_RULES];

describe('every rule', () => {
  test('has a sample', () => {
    const names = new Set(RULES.map((rule) => rule.name));
    expect(new Set(SAMPLES.map((sample) => sample.rule))).toEqual(names);
  });

  test.each(SAMPLES)('$rule: $text', ({ rule, text, secret }) => {
    const redacted = redactText(text);
    expect(redacted).toContain(`[redacted:${rule}]`);
    expect(redacted).not.toContain(secret);
    expect(redacted).not.toContain(secret.slice(-10));
    expect(redactText(redacted), 'a second time changes nothing').toBe(redacted);
  });

  // By their names, because a rule that forgot how its keys go on would not be asked.
  test.each([
    'age-key',
    'airtable-token',
    'anthropic-key',
    'api-key',
    'atlassian-token',
    'aws-bedrock-key',
    'azure-secret',
    'bitbucket-token',
    'brevo-key',
    'cerebras-key',
    'databricks-token',
    'digitalocean-token',
    'discord-token',
    'docker-token',
    'doppler-token',
    'e2b-key',
    'elevenlabs-key',
    'figma-token',
    'firecrawl-key',
    'fireworks-key',
    'fly-token',
    'github-token',
    'gitlab-token',
    'google-key',
    'google-oauth',
    'grafana-token',
    'groq-key',
    'heroku-key',
    'huggingface-token',
    'jina-key',
    'jwt',
    'langsmith-key',
    'linear-key',
    'netlify-token',
    'newrelic-key',
    'notion-token',
    'npm-token',
    'nvidia-key',
    'onepassword-token',
    'openai-key',
    'openrouter-key',
    'openshift-token',
    'perplexity-key',
    'pinecone-key',
    'planetscale-token',
    'postman-key',
    'pulumi-token',
    'pypi-token',
    'replicate-token',
    'resend-key',
    'rubygems-key',
    'sendgrid-key',
    'sentry-token',
    'shopify-token',
    'slack-token',
    'square-token',
    'stripe-key',
    'supabase-key',
    'tailscale-key',
    'tavily-key',
    'telegram-token',
    'terraform-token',
    'vault-token',
    'vercel-token',
    'voyage-key',
    'xai-key',
  ])('a longer %s is hidden to its end', (name) => {
    const { text, secret } = SAMPLES.find(({ rule }) => rule === name) ?? { text: '', secret: '?' };
    expect(redactText(text.replace(secret, `${secret}${'7'.repeat(20)}`))).toBe(redactText(text));
  });

  test('a key begins where a word does: not behind a letter or digit, and behind anything else', () => {
    const { text, secret } = SAMPLES.find(({ rule }) => rule === 'aws-access-key') ?? { text: '', secret: '?' };
    expect(text).toContain(secret);
    const isSeen = (before: string) => redactText(`${before}${secret}`) !== `${before}${secret}`;
    expect([...'AZaz09'].filter(isSeen)).toEqual([]);
    expect([...'@[`{/:é '].filter((letter) => !isSeen(letter))).toEqual([]);
    expect(isSeen('\\n')).toBe(true);
    // So nothing is held back that cannot begin one.
    const isHeld = (before: string) => redactionOf('text').createRedactor().push(`${before}AKIA`) === before;
    expect([...'AZaz09'].filter(isHeld)).toEqual([]);
    expect([...'@[`{/:é '].filter((letter) => !isHeld(letter))).toEqual([]);
  });

  test.each([`123456789012345678/${'aB3dE6gH9jKm'.repeat(2)}`, 'T01234567/B01234567/aB3dE6gH9jKmN2pQ5sT8vWxY'])(
    'the end of a webhook without its address is none: %s',
    (end) => {
      expect(redactText(`see ${end}`)).toBe(`see ${end}`);
    },
  );

  test.each(['1', '12', '_1', '_12', '-7'])('the password of a number is one: %s', (number) => {
    expect(redactText(`DB_PASSWORD${number}=abcd1234efgh`)).toBe(`DB_PASSWORD${number}=[redacted:credential]`);
  });

  test.each(['DEV', 'LIVE', 'PROD', 'STAGING', 'PRODUCTION'])('the password of a place is one: %s', (place) => {
    expect(redactText(`DB_PASSWORD_${place}=abcd1234efgh`)).toBe(`DB_PASSWORD_${place}=[redacted:credential]`);
  });

  test.each(SAMPLES)('is seen behind a word of any length, $rule: $text', ({ text, secret }) => {
    for (const length of [19, 20, 21, 40]) {
      const before = `${'wordy'.repeat(8).slice(0, length)}\n`;
      expect(redactText(before + text)).toBe(before + redactText(text));
      expect(redactText(before + secret)).toBe(before + redactText(secret));
    }
  });

  test.each(SAMPLES)('keeps what stands around it, $rule: $text', ({ text }) => {
    expect(redactText(`Before. ${text}\n(After)`)).toMatch(/^Before\. .*\n\(After\)$/s);
  });
});

test('what is costly to make is made once for the same rules, and again for others', () => {
  const rules = [{ name: 'own', match: 'own-[0-9]{4}' }];
  expect(redactionOf('text')).toBe(redactionOf('text'));
  expect(redactionOf('text')).not.toBe(redactionOf('json'));
  expect(redactionOf('text', rules)).toBe(redactionOf('text', rules));
  expect(redactionOf('text', rules)).not.toBe(redactionOf('text'));
});

describe('decision 8: a secret split over two deltas is caught', () => {
  test.each(SAMPLES)('at every position and into single characters, $rule: $text', ({ text }) => {
    for (const kind of ['text', 'json'] as const) {
      const { redact, createRedactor } = redactionOf(kind);
      const whole = redact(text);
      expect(feed(createRedactor(), [...text])).toBe(whole);
      // One assertion for all: each costs more than what it looks at.
      const places = Array.from({ length: text.length - 1 }, (_, index) => index + 1);
      const fedAt = (at: number) => feed(createRedactor(), [text.slice(0, at), text.slice(at)]);
      expect(places.filter((at) => fedAt(at) !== whole)).toEqual([]);
    }
  });

  test('ordinary prose and code flow without delay', () => {
    const prose =
      'The password is checked first: it must not be empty. Then `token` is read, e.g. from a file (see README.md).';
    const redactor = redactionOf('text').createRedactor();
    for (const word of prose.split(/(?<= )/)) expect(redactor.push(word)).toBe(word);
    expect(redactor.end()).toBe('');
  });

  test('holds back only what may still become a secret', () => {
    const redactor = redactionOf('text').createRedactor();
    expect(redactor.push('Ask s')).toBe('Ask ');
    expect(redactor.push('k')).toBe('');
    expect(redactor.push('y')).toBe('sky');
    expect(redactor.push(' at http://host:80')).toBe(' at http://host:');
    expect(redactor.push('80/z')).toBe('8080/z');
  });

  test('shows a replacement as soon as the secret is certain, and swallows the rest', () => {
    const redactor = redactionOf('text').createRedactor();
    expect(redactor.push(`sk-ant-${'x'.repeat(13)}`)).toBe('');
    expect(redactor.push('x')).toBe('[redacted:anthropic-key]');
    expect(redactor.push('yyy')).toBe('');
    expect(redactor.push('y then')).toBe(' then');
  });

  test('a key block that never ends is swallowed only as far as it looks like one', () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(60)}\n${'B'.repeat(60)}`;
    expect(redactText(`${text}\n(truncated)`)).toBe('[redacted:private-key](truncated)');
    expect(redactText(`${text}${'C'.repeat(100_000)}`)).toMatch(/^\[redacted:private-key\]C{1,40000}$/);
  });

  test('never holds more than a bounded piece', () => {
    const redactor = redactionOf('json').createRedactor();
    const text = `"x": "${'eyJhbGciOiJIUzI1NiJ9'.repeat(500)}`;
    expect(text.length - redactor.push(text).length).toBeLessThan(700);
  });
});

const patterns = {
  text: compile(WORD_RULES, CONTEXT_RULES),
  json: compile(WORD_RULES, [PROPERTY_RULE, ...CONTEXT_RULES]),
};

/** All places are tried, so this knows nothing of the quick look. */
const slow = (kind: 'text' | 'json') =>
  createScan({
    patternOf: () => patterns[kind],
    suspectsIn: (text) => Array.from(text, (_, at) => ({ from: at, to: at })),
  });

test('the quick look misses nothing, and any split gives the same', () => {
  const piece = fc.oneof(
    fc.constantFrom(...SAMPLES.map((sample) => sample.text)),
    fc.constantFrom(...SAMPLES.flatMap(({ text }) => [text.slice(0, 12), text.slice(0, 30), text.slice(-20)])),
    fc.constantFrom(
      'password',
      'api_key',
      'TOKEN',
      'Authorization',
      'Bearer',
      '--',
      '-u',
      '://',
      '-----BEGIN',
      'sk-',
      'AKIA',
    ),
    fc.constantFrom(
      ' ',
      '\n',
      ':',
      ' = ',
      '"',
      "'",
      '\\',
      '\\n',
      '\\"',
      ': "',
      '=',
      '@',
      '/',
      '.',
      '_',
      '-',
      '→',
      '😀',
    ),
    fc.string({ maxLength: 6 }),
  );
  const splits = fc.array(fc.nat(1_000), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), splits, fc.constantFrom('text', 'json'), (pieces, cuts, kind) => {
      const text = pieces.join('');
      const whole = redactionOf(kind).redact(text);
      expect(slow(kind).end(text)).toBe(whole);
      const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
      const parts = at.slice(1).map((end, index) => text.slice(at[index], end));
      expect(feed(redactionOf(kind).createRedactor(), parts)).toBe(whole);
    }),
    { numRuns: 1_000 },
  );
});

function feed(redactor: Redactor, parts: readonly string[]): string {
  return parts.map((part) => redactor.push(part)).join('') + redactor.end();
}
