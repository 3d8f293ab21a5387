/** What programs do not write down, or write otherwise than they print it: each with the reason and with what is still asked for. */
import { type Account, type Aspect, differences } from './account.js';

export interface Exception {
  /** The folders of homes, `<agent>/<case>`, for which it holds. */
  of: RegExp;
  aspect: Aspect;
  reason: string;
  /** Seen with the real program, and in none of the homes. */
  isRare?: true;
  /** How both sides are alike all the same. */
  alike(stream: Account, disk: Account): boolean;
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    of: /^claude\//,
    aspect: 'ends',
    reason: 'A refusal that also ends the turn is written as an interrupt is; the stream shows the question.',
    alike: (stream, disk) =>
      alikeLists(stream.ends, disk.ends, (text) => text.replace(/: (denied|cancelled)$/, ': not run')),
  },
  {
    of: /^claude\//,
    aspect: 'said',
    reason: 'What a sub-agent says that is waited for is printed only for who asks for it; its calls are.',
    isRare: true,
    alike: (stream, disk) => {
      const [told, found] = [stream.said, disk.said.filter((line) => !/^[^#>]+> /.test(line))];
      return alikeLists(told.filter(isText), found.filter(isText)) && alikeLists(told.toSorted(), found.toSorted());
    },
  },
  {
    of: /^claude\//,
    aspect: 'outputs',
    reason:
      'Not of the program: the number of the user in a path was replaced in one of the two when the homes were scrubbed.',
    alike: (stream, disk) =>
      alikeLists(stream.outputs, disk.outputs, (text) => text.replace(/\/claude-\d+\//g, '/claude/')),
  },
  {
    of: /^claude\//,
    aspect: 'outcomes',
    reason: 'That the budget was used up is told to whoever started the program, and not written down.',
    alike: (stream, disk) =>
      alikeLists(stream.outcomes, disk.outcomes, (word) => word.replace('over-budget', 'unknown')),
  },
  {
    of: /^claude\//,
    aspect: 'errors',
    reason: 'That the budget was used up is told to whoever started the program, and not written down.',
    alike: (stream, disk) =>
      alikeLists(
        stream.errors.filter((text) => !/maximum budget/.test(text)),
        disk.errors,
      ),
  },
  {
    of: /^claude\//,
    aspect: 'tokens',
    reason: 'The model call that sums a conversation up is not written down; its money is, in the sum of the session.',
    alike: ({ tokens: stream, usd }, { tokens: disk, usd: found }) =>
      isPart(disk, stream) && Math.abs((usd ?? 0) - (found ?? 0)) < 1e-9,
  },
  {
    of: /^codex\/forked$/,
    aspect: 'tokens',
    reason: 'Its stream counts what was copied too; who starts it knows what the session before had used.',
    alike: ({ tokens: stream }, { tokens: disk }) => isPart(disk, stream),
  },
  {
    of: /^codex-0\.145/,
    aspect: 'outputs',
    reason: 'Older releases write what the model was told of a command, which is shortened when it is long.',
    alike: (stream, disk) => alikeShortened(stream.outputs, disk.outputs, /truncated output|tokens truncated/),
  },
  {
    of: /^codex\//,
    aspect: 'outputs',
    reason: 'Outputs of more than 64 KiB are shortened on disk.',
    isRare: true,
    alike: (stream, disk) => alikeShortened(stream.outputs, disk.outputs, /output truncated for persistence/),
  },
  {
    of: /^qwen\//,
    aspect: 'said',
    reason: 'An answer that is too long is asked for in parts, which the stream prints as one.',
    isRare: true,
    alike: (stream, disk) => asOne(stream.said) === asOne(disk.said),
  },
  {
    of: /^qwen\//,
    aspect: 'answers',
    reason: 'An answer that is too long is asked for in parts, which the stream prints as one.',
    isRare: true,
    alike: ({ answers: stream }, { answers: disk }) =>
      stream.length === disk.length && stream.every((text, index) => text?.endsWith(disk[index] ?? ' ')),
  },
  {
    of: /^qwen\//,
    aspect: 'outputs',
    reason: 'Long outputs are shortened, for the stream and for the disk at different places.',
    alike: (stream, disk) => alikeShortened(stream.outputs, disk.outputs, /Output too long and was saved to|truncated/),
  },
  {
    of: /^droid\//,
    aspect: 'answers',
    reason: 'The line that ends a run repeats the first text of the last turn, not the last one (0.225).',
    alike: (stream, disk) =>
      stream.answers.length === disk.answers.length &&
      stream.answers.every(
        (text, index) =>
          text === disk.answers[index] || disk.said.some((line) => line.trimEnd() === `> ${text?.trimEnd()}`),
      ),
  },
  {
    of: /^droid\/.*-rpc$/,
    aspect: 'outputs',
    reason:
      'A conversation shows results without blank ends and says shortly why one failed; the disk has what the model was told.',
    alike: (stream, disk) =>
      alikeLists(stream.outputs, disk.outputs, (text) => text.replace(/: Error:[\s\S]*/, ': Error').trimEnd()),
  },
  {
    of: /^gemini\//,
    aspect: 'said',
    reason:
      'Texts are written without blank ends, letters that nobody sees and comments, and printed without colours; what was cut off is not written.',
    alike: (stream, disk) => alikeLists(whole(stream, disk.said.length), disk.said, plain),
  },
  {
    of: /^gemini\//,
    aspect: 'answers',
    reason:
      'Texts are written without blank ends, letters that nobody sees and comments, and printed without colours; what was cut off is not written.',
    alike: (stream, disk) =>
      stream.outcomes.includes('failed') || alikeLists(stream.answers.map(String), disk.answers.map(String), plain),
  },
  {
    of: /^gemini\//,
    aspect: 'outcomes',
    reason: 'A model call that failed is not written down, so nobody knows how the turn ended.',
    alike: (stream, disk) => alikeLists(stream.outcomes, disk.outcomes, (word) => word.replace('failed', 'unknown')),
  },
  {
    of: /^gemini\//,
    aspect: 'errors',
    reason: 'A model call that failed is not written down.',
    alike: (stream, disk) => disk.errors.length === 0 && stream.outcomes.includes('failed'),
  },
  {
    of: /^gemini\//,
    aspect: 'tokens',
    reason:
      'Which model shall answer is asked of a small model, and that is not written down, nor is an answer that says nothing.',
    alike: ({ models: stream }, { models: disk }) =>
      Object.entries(disk).every(([name, count]) => isPart(count, stream[name])),
  },
  {
    of: /^(opencode|kilo)\//,
    aspect: 'said',
    reason:
      'A call that fails at once is printed before the end of the text in front of it; the disk has them as the model said them.',
    isRare: true,
    alike: (stream, disk) =>
      alikeLists(stream.said.filter(isText), disk.said.filter(isText)) &&
      alikeLists(stream.said.toSorted(), disk.said.toSorted()),
  },
  {
    of: /^(opencode|kilo|codex)\//,
    aspect: 'said',
    reason:
      'A call is printed when it is over, or a moment after it began, so one that was cut off may be only on disk.',
    isRare: true,
    alike: (stream, disk) => alikeLists(stream.said, whole(disk, stream.said.length)),
  },
  {
    of: /^(opencode|kilo|codex)\//,
    aspect: 'ends',
    reason:
      'A call is printed when it is over, or a moment after it began, so one that was cut off may be only on disk.',
    isRare: true,
    alike: (stream, disk) =>
      alikeLists(
        stream.ends,
        disk.ends.filter((text) => !text.endsWith(': unknown')),
      ),
  },
  {
    of: /^(opencode|kilo|codex)\//,
    aspect: 'tokens',
    reason: 'The stream does not count what sub-agents use; the disk has their conversations too.',
    alike: ({ tokens: stream }, { tokens: disk }) => isPart(stream, disk),
  },
  {
    of: /^(opencode|kilo)\//,
    aspect: 'usd',
    reason: 'The stream does not count what sub-agents use; the disk has their conversations too.',
    alike: ({ usd: stream }, { usd: disk }) => (stream ?? 0) < (disk ?? 0),
  },
  {
    of: /^gemini\//,
    aspect: 'ends',
    reason: 'A call is written when it has ended, so one that was cut off is not.',
    isRare: true,
    alike: (stream, disk) =>
      alikeLists(
        stream.ends.filter((text) => !text.endsWith(': unknown')),
        disk.ends,
      ),
  },
  {
    of: /^kimi\//,
    aspect: 'thoughts',
    reason: 'What it prints is without its thoughts.',
    isRare: true,
    alike: (stream) => stream.thoughts.length === 0,
  },
  {
    of: /^cline\//,
    aspect: 'tasks',
    reason: 'That a sub-agent begins and ends is told by hooks, which are not written down; its call is.',
    alike: (_, disk) => disk.tasks.length === 0,
  },
  {
    of: /^cline\//,
    aspect: 'session',
    reason: 'The stream names only the conversation (`conv_…`), the disk only the session.',
    alike: ({ session: stream }, { session: disk }) => /^conv_/.test(stream ?? '') && /^\d+_\w+$/.test(disk ?? ''),
  },
];

/** What the disk does not tell of the stream, and no exception says why. */
export function unexplained(name: string, stream: Account, disk: Account): string[] {
  return [...differences(stream, disk)].flatMap(([aspect, text]) => {
    const isExplained = EXCEPTIONS.some((one) => one.aspect === aspect && one.of.test(name) && one.alike(stream, disk));
    return isExplained ? [] : [`${aspect}: ${text.slice(0, 2000)}`];
  });
}

const asOne = (said: readonly string[]): string => said.map((line) => line.replace(/^> /, '')).join('');

const isText = (line: string): boolean => line.startsWith('> ');

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

const plain = (text: string): string =>
  text
    .replace(/^([#>] )\s+/, '$1')
    .replaceAll(COLOUR, '')
    .replace(/[\u200B-\u200F\uFEFF]/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .trim();

/** Without the calls that were cut off, and the text that a failure cut off, where the disk has one less. */
function whole({ said, ends, outcomes }: Account, length: number): readonly string[] {
  const cut = new Set(
    ends.flatMap((text) => (text.endsWith(': unknown') ? [`# ${text.slice(0, -': unknown'.length)}`] : [])),
  );
  const ended = said.filter((line) => !cut.has(line));
  return outcomes.includes('failed') && ended.length === length + 1 ? ended.slice(0, -1) : ended;
}

function alikeLists(stream: readonly string[], disk: readonly string[], reduce = (text: string) => text): boolean {
  return JSON.stringify(stream.map(reduce)) === JSON.stringify(disk.map(reduce));
}

/** Where one says that it was shortened, the call is the same, and what was left of the beginning. */
function alikeShortened(stream: readonly string[], disk: readonly string[], says: RegExp): boolean {
  return (
    stream.length === disk.length &&
    stream.every((text, index) => {
      const other = disk[index] ?? '';
      return text === other || (says.test(other) && text.slice(0, 100) === other.slice(0, 100));
    })
  );
}

function isPart(part: Account['tokens'], whole: Account['tokens']): boolean {
  return Object.entries(part ?? {}).every(
    ([name, count]) => count > 0 === (whole?.[name] ?? 0) > 0 && count <= (whole?.[name] ?? 0),
  );
}
