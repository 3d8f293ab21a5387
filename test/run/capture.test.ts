import { describe, expect, it } from 'vitest';
import { createCapture } from '../../src/run/process/capture.js';

describe('the raw end of an output', () => {
  it.each([
    ['nothing', [], ''],
    ['less than asked for', ['abc'], 'abc'],
    ['a little more than asked for', ['abcdef', 'ghijkl'], 'cdefghijkl'],
    ['much more than asked for', ['abcdefghijklmnopqrstuvwxyz', '0123'], 'uvwxyz0123'],
    ['many small pieces', [...'abcdefghijklmnopqrstuvwxyz0123'], 'uvwxyz0123'],
  ])('R-18 of %s is kept, and no more', (_, pieces, kept) => {
    const capture = createCapture(10);
    for (const piece of pieces) capture.push(Buffer.from(piece));
    expect(capture.text()).toBe(kept);
  });
});
