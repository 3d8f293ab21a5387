/** What a terminal must never be sent, one by one and as attacks. */

const escapes = [
  ['CSI colour', '\x1b[31m'],
  ['CSI clear screen', '\x1b[2J\x1b[H'],
  ['CSI with many parameters', '\x1b[38;2;255;0;0;48;5;1m'],
  ['8-bit CSI', '\x9b31m'],
  ['OSC title, BEL', '\x1b]0;owned\x07'],
  ['OSC title, ST', '\x1b]0;owned\x1b\\'],
  ['OSC 8 link', '\x1b]8;;http://evil.example\x07text\x1b]8;;\x07'],
  ['OSC 52 clipboard', '\x1b]52;c;cm0gLXJmIH4=\x07'],
  ['8-bit OSC', '\x9d0;owned\x9c'],
  ['unterminated OSC', '\x1b]0;never ends'],
  ['unterminated OSC before another', '\x1b]0;a\x1b]52;c;YQ=='],
  ['DCS', '\x1bPq#0;2;0;0;0\x1b\\'],
  ['8-bit DCS', '\x90q#0\x9c'],
  ['unterminated DCS', '\x1bPq#0'],
  ['APC', '\x1b_Gf=32;AAAA\x1b\\'],
  ['PM', '\x1b^message\x1b\\'],
  ['SOS', '\x1bXstring\x1b\\'],
  ['screen title', '\x1bktitle\x1b\\'],
  ['reset', '\x1bc'],
  ['charset', '\x1b(0'],
  ['lone ESC', '\x1b'],
  ['ESC at the end of a cut sequence', '\x1b['],
  ['nested', '\x1b\x1b[31m[31m'],
  ['assembled by stripping', '\x1b\x1b[0m[2J'],
] as const;

const points = [
  ...range(0x00, 0x08),
  ...range(0x0b, 0x1f),
  ...range(0x7f, 0x9f),
  0x061c,
  0x200e,
  0x200f,
  // Line and paragraph separators: some readers of lines see a forged one.
  ...range(0x2028, 0x202e),
  ...range(0x2066, 0x206f),
  0xfeff,
  ...range(0xfff9, 0xfffb),
  0xd800,
  0xdbff,
  0xdc00,
  0xdfff,
  ...range(0xe0000, 0xe007f),
];

type Attack = readonly [name: string, attack: string];

export const ATTACKS: readonly Attack[] = [
  ...escapes,
  ...points.map((point) => [`U+${point.toString(16).padStart(4, '0')}`, String.fromCodePoint(point)] as const),
];

/** The same, the single characters together by tens: for tests that try each in many places. */
export const FEWER_ATTACKS: readonly Attack[] = [
  ...escapes,
  ...range(0, Math.ceil(points.length / 10) - 1).map((part): Attack => {
    const some = points.slice(part * 10, part * 10 + 10);
    return [
      some.map((point) => point.toString(16)).join(' '),
      some.map((point) => `${String.fromCodePoint(point)} `).join(''),
    ];
  }),
];

/** Matches whatever must not be printed; newlines and tabs are judged by who prints them. */
export const HOSTILE = new RegExp(
  `[${points
    .filter((point) => point !== 0x0d)
    .map(escapeOf)
    .join('')}\\r]`,
  'u',
);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function escapeOf(point: number): string {
  return `\\u{${point.toString(16)}}`;
}
