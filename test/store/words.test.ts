import { describe, expect, test } from 'vitest';
import { makeSnippet } from '../../src/store/snippet.js';
import { parseTerms, separateIdeographs } from '../../src/store/words.js';

describe('the search language', () => {
  const brief = (text: string) =>
    parseTerms(text).map(({ words, prefix, not }) => `${not ? '-' : ''}${words.join(' ')}${prefix ? '*' : ''}`);

  test.each([
    ['flaky login', ['flaky', 'login']],
    ['"login test" fails', ['login test', 'fails']],
    ['"never closed', ['never closed']],
    ['-slow "-not this"', ['-slow', 'not this']],
    ['begin* -"a b"*', ['begin*', '-a b*']],
    ['src/store/index.ts', ['src store index ts']],
    ['foo_bar', ['foo bar']],
    ['Über Straße', ['uber', 'straße']],
    ['漢字かな', ['漢 字 か な']],
    ['-- *** "" ( ) :', []],
    ['', []],
  ])('%s', (text, expected) => {
    expect(brief(text)).toEqual(expected);
  });

  test('scripts without spaces are separated for the index, others are left alone', () => {
    expect(separateIdeographs('plain text')).toBe('plain text');
    expect(separateIdeographs('fix 構文 now').split(/\s+/)).toEqual(['fix', '構', '文', 'now']);
  });
});

describe('snippets', () => {
  const shown = (text: string, query: string) => {
    const { text: line, marks } = makeSnippet(text, parseTerms(query));
    return marks.reduceRight(
      (marked, [from, to]) => `${marked.slice(0, from)}[${marked.slice(from, to)}]${marked.slice(to)}`,
      line,
    );
  };

  test.each([
    ['short', 'The login is flaky', 'flaky', 'The login is [flaky]'],
    ['all words', 'The login is flaky', 'flaky login', 'The [login] is [flaky]'],
    ['unwanted words are not marked', 'The login is flaky', 'flaky -login', 'The login is [flaky]'],
    ['case', 'EACCES: denied', 'eacces', '[EACCES]: denied'],
    ['accents', 'Le résumé est là', 'resume', 'Le [résumé] est là'],
    ['a beginning', 'git bisecting', 'bis*', 'git [bisecting]'],
    ['not within a word', 'unflaky flaky', 'flaky', 'unflaky [flaky]'],
    ['its own line', 'a\n\n\tb   flaky\n\nc', 'flaky', 'b [flaky]'],
    ['the line with most of the words', 'login\nflaky\na flaky login\nflaky', 'flaky login', 'a [flaky] [login]'],
    ['the first where no line has more', 'login\nflaky', 'flaky login', '[flaky]'],
    ['ideographs', '構文解析を直した', '解析', '構文[解][析]を直した'],
  ])('%s', (_, text, query, expected) => {
    expect(shown(text, query)).toBe(expected);
  });

  test('of a long text only the neighbourhood, cut at a word', () => {
    const line = shown(`${'word '.repeat(5000)}needle ${'more '.repeat(5000)}`, 'needle');
    expect(line).toMatch(/^…word (word )+\[needle\] (more )+/);
    expect(line).toMatch(/…$/);
    expect(line.length).toBeLessThan(180);
  });

  test('begins with the first whole word that is near enough', () => {
    const before = 'a first sentence, then several hundreds of others.';
    expect(shown(`${before} needle`, 'needle')).toBe('…then several hundreds of others. [needle]');
    expect(shown(`${'x'.repeat(60)} needle`, 'needle')).toBe('…[needle]');
    expect(shown(`${'x'.repeat(39)} needle`, 'needle')).toBe(`${'x'.repeat(39)} [needle]`);
  });

  test('no half characters', () => {
    const { text } = makeSnippet(`${'😀'.repeat(200)} needle ${'😀'.repeat(200)}`, parseTerms('needle'));
    expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
  });
});
