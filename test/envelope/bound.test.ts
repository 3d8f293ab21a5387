import { describe, expect, it } from 'vitest';
import { bound, boundData, boundFinalText, cutWithSuffix } from '../../src/envelope/bound.js';
import type { Envelope, ToolFacet } from '../../src/envelope/index.js';

const bytes = (text = '') => Buffer.byteLength(text);
const base = { agent_kind: 'toy', kind: 'Status' } as const;

describe('bounds of an envelope', () => {
  it.each([
    ['at the bound', 'x'.repeat(65_536), [65_536]],
    ['one over', 'x'.repeat(65_537), [65_536, 1]],
    ['wide letters', 'é'.repeat(40_000), [65_536, 14_464]],
    ['never inside a code point', `x${'😀'.repeat(32_768)}`, [65_533, 65_536, 4]],
  ])('U-2.1 S2-18 R-20 text is split in order: %s', (_, text, sizes) => {
    const pieces = bound({ ...base, kind: 'TextOutput', channel: 'assistant', text });
    expect(pieces.map((piece) => bytes(piece.text))).toEqual(sizes);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.every((piece) => piece.channel === 'assistant')).toBe(true);
  });

  it.each([
    ['at the bound', 'x'.repeat(4_096), 4_096, false],
    ['one over', 'x'.repeat(4_097), 4_096, true],
    ['wide letters', '語'.repeat(2_000), 4_094, true],
  ])('U-2.1 a message is cut with a suffix: %s', (_, message, size, isCut) => {
    const [envelope] = bound({ ...base, message });
    expect(bytes(envelope?.message)).toBe(size);
    expect(envelope?.message?.endsWith('…(truncated)')).toBe(isCut);
    expect(envelope?.message).not.toContain('\ufffd');
  });

  it.each([
    [100, 14],
    [14, 3],
    [3, 3],
    [2, 0],
  ])('U-2.1 a bound of %d bytes', (max, atMost) => {
    const cut = cutWithSuffix('x'.repeat(200), max);
    expect(bytes(cut)).toBe(max > 14 ? max : atMost);
    expect(cut).toBe(max > 14 ? `${'x'.repeat(max - 14)}…(truncated)` : '…'.slice(0, atMost / 3));
  });

  it('U-2.1 a long channel is left out', () => {
    expect(bound({ ...base, channel: 'c'.repeat(128) })).toEqual([{ ...base, channel: 'c'.repeat(128) }]);
    expect(bound({ ...base, channel: 'é'.repeat(65) })).toEqual([base]);
  });

  it('U-2.1 oversize data is dropped, and says so', () => {
    const facet = (name: string) =>
      ({ schema: 'agent_api.tools.structured.v1', tool: { tool_name: name } }) as ToolFacet;
    const room = 65_536 - bytes(JSON.stringify(facet('')));
    const kept: Envelope = { ...base, data: facet('x'.repeat(room)) };
    expect(bound(kept)).toEqual([kept]);
    expect(bound({ ...base, data: facet('x'.repeat(room + 1)) })).toEqual([
      { ...base, data: { dropped: { reason: 'oversize' } } },
    ]);
    expect(boundData('é'.repeat(32_767))).toBe('é'.repeat(32_767));
    expect(boundData('é'.repeat(32_768))).toEqual({ dropped: { reason: 'oversize' } });
  });

  it('U-2.1 the final text is cut with the same suffix', () => {
    expect(boundFinalText('x'.repeat(65_536))).toHaveLength(65_536);
    expect(boundFinalText('x'.repeat(65_537))).toBe(`${'x'.repeat(65_522)}…(truncated)`);
  });
});
