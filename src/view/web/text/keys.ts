/** Every key that does something on the page, for people. */

export const KEYS: readonly (readonly [where: string, keys: readonly (readonly [key: string, does: string])[]])[] = [
  [
    'Everywhere',
    [
      ['?', 'these keys'],
      ['/', 'search everything'],
      ['Esc', 'closes what is open; it never denies'],
    ],
  ],
  [
    'Where something waits',
    [
      ['j  k', 'to the next or the previous card'],
      ['y', 'allow once, let it go on'],
      ['n', 'deny, with a reason'],
      ['e', 'change the input first, comment on a plan, say something'],
      ['a', 'always: opens what that could mean'],
      ['l', 'later'],
    ],
  ],
  [
    'Where something is written',
    [
      ['Enter', 'sends'],
      ['Shift Enter', 'a new line'],
      ['/', 'commands of the agent, at the beginning'],
      ['@', 'files of the folder'],
      ['↑', 'in an empty field: what was said before'],
    ],
  ],
  [
    'In a conversation',
    [
      ['Esc', 'interrupts the agent that works'],
      ['Home', 'to its beginning'],
      ['+  −', 'zoom, in the timeline'],
    ],
  ],
  [
    'In changes',
    [
      ['n  p', 'to the next or the previous part'],
      ['J  K', 'to the next or the previous file'],
      ['j  k', 'to the next or the previous line'],
      ['c', 'comment on the line'],
      ['v', 'the file was seen'],
    ],
  ],
];
