import { describe, expect, test } from 'vitest';
import { extractFromJson, isComplete } from '../../src/view/text/is-complete.js';

const result = (text: string) => JSON.stringify({ type: 'result', result: text, total_cost_usd: 0.01 });
const other = JSON.stringify({ type: 'assistant', message: { content: [] } });

describe('S1-49, S1-51 extractFromJson', () => {
  test.each([
    ['a valid result', result('DONE'), 'DONE'],
    ['a result in the middle', `${other}\n${result('DONE')}\n${other}\n`, 'DONE'],
    ['the last of two', `${result('one')}\n${result('two')}`, 'two'],
    ['other spacing and key order', '{ "result": "DONE", "type" : "result" }', 'DONE'],
    ['a malformed one after it is skipped', `${result('DONE')}\n{"type":"result","result":"cut`, 'DONE'],
    ['surrounding whitespace', `\n\n  ${result('DONE')}  \r\n\n`, 'DONE'],
    ['an error without a text', '{"type":"result","is_error":true}', ''],
  ])('finds %s', (_name, output, expected) => {
    expect(extractFromJson(output)).toEqual({ result: expected, found: true });
  });

  test.each([
    ['no result', `${other}\nplain text`],
    ['malformed JSON', '{"type":"result","result":'],
    ['a result that is no object', '["type","result"]\nnull\n5'],
    ['nothing', ''],
    ['only newlines', '\n\n'],
    ['the words in a text', 'say {"type":"result"} now'],
  ])('finds nothing in %s', (_name, output) => {
    expect(extractFromJson(output)).toEqual({ result: '', found: false });
  });
});

describe('S1-50, S1-51 isComplete', () => {
  test.each([
    ['the JSON result', result('DONE'), 'DONE', true],
    ['S1-07 in any case, trimmed', result('  done\n'), 'DONE', true],
    ['another result', result('not yet'), 'DONE', false],
    ['the tag, without JSON', 'text\n<response>DONE</response>', 'DONE', true],
    ['U-1.4 the tag in any case, over several lines', '<Response>\n done \n</RESPONSE>', 'DONE', true],
    ['U-1.4 the first tag', '<response>a</response><response>DONE</response>', 'DONE', false],
    ['a tag that never closes', '<response>DONE', 'DONE', false],
    [
      'a JSON result that differs, beside a tag that matches',
      `<response>DONE</response>\n${result('no')}`,
      'DONE',
      false,
    ],
    ['neither', 'all DONE', 'DONE', false],
    ['prose before the word', result('All tests pass. DONE'), 'DONE', false],
  ])('%s', (_name, output, expected, complete) => {
    expect(isComplete(output, expected)).toBe(complete);
  });

  test.each([
    ['R-24, LL-18 prose before the word', result('All tests pass. done\n'), 'DONE', true],
    ['prose after it', result('DONE, more or less'), 'DONE', false],
    ['in the tag', '<response>it is DONE</response>', 'DONE', true],
    ['nothing expected', result('anything'), ' ', false],
  ])('with suffix: %s', (_name, output, expected, complete) => {
    expect(isComplete(output, expected, { match: 'suffix' })).toBe(complete);
  });

  test('a long output of almost-tags costs its length, not its square', () => {
    expect(isComplete('<response>'.repeat(200_000), 'DONE')).toBe(false);
  });
});
