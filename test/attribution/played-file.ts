/** A file that agents, commands and people write in, as it really happens, beside what is recorded of it. */
import type { Call, KnownEdit, Step, TurnRef } from '../../src/attribution/maker.js';

/** Who wrote it. A person or a command that works beside the agent leaves no record. */
export type Writer = 'older' | `call ${string}` | `whole ${string}` | `outside ${number}` | `untold ${number}`;

export interface TrueLine {
  text: string;
  /** All that ever wrote this text here: what is taken back comes from two hands. */
  writers: ReadonlySet<Writer>;
}

export type Hand = 'agent' | 'failing agent' | 'echo' | 'command' | 'person';

/** One deed; the numbers choose among what is there. */
export interface Deed {
  hand: Hand;
  what: 'insert' | 'delete' | 'replace' | 'word' | 'whole' | 'revert' | 'copy' | 'twin';
  at: number;
  size: number;
}

export interface Phase {
  isTurn: boolean;
  /** The files before it were kept too late: it is seen together with what came before. */
  isLate: boolean;
  deeds: readonly Deed[];
}

/** Lines that anybody writes. */
const COMMON = ['}', '', '  return;', '});'];

export interface PlayedFile {
  steps: Step[];
  lines: readonly TrueLine[];
  /** Who ever wrote a line with this text here. */
  wrote: ReadonlyMap<string, ReadonlySet<Writer>>;
  /** Texts that stood there more than once. */
  copied: ReadonlySet<string>;
}

export function playFile(phases: readonly Phase[]): PlayedFile {
  const copied = new Set<string>(COMMON);
  const wrote = new Map<string, Set<Writer>>();
  let count = 0;
  let lines: TrueLine[] = [];
  const fresh = (writer: Writer): TrueLine => {
    count += 1;
    return line(count % 4 === 0 ? (COMMON[count % COMMON.length] ?? '}') : `const value${count} = ${count * 7};`, [
      writer,
    ]);
  };
  const line = (text: string, writers: Iterable<Writer>): TrueLine => {
    const own = new Set(writers);
    wrote.set(text, new Set([...(wrote.get(text) ?? []), ...own]));
    return { text, writers: own };
  };
  lines = Array.from({ length: 8 }, () => fresh('older'));
  const versions = [lines];
  const textOf = (of: readonly TrueLine[]) => of.map(({ text }) => `${text}\n`).join('');
  const steps: Step[] = [];
  let before = textOf(lines);
  let turn = 0;
  let open: Phase[] = [];
  let calls: Call[] = [];
  let commands: string[] = [];
  let last: TurnRef | undefined;
  for (const [index, phase] of phases.entries()) {
    if (phase.isTurn) turn += 1;
    open.push(phase);
    for (const deed of phase.deeds) act(deed, phase.isTurn);
    const isSeen = !(phases[index + 1]?.isTurn && phases[index + 1]?.isLate);
    if (!isSeen) continue;
    const turns = open.filter((one) => one.isTurn).map((_, at, all): TurnRef => ref(turn - all.length + 1 + at));
    steps.push({
      before,
      after: textOf(lines),
      turns,
      isPartlyOutside: open.some((one) => !one.isTurn),
      last,
      calls,
      commands,
    });
    before = textOf(lines);
    if (turns.length > 0) last = ref(turn);
    [open, calls, commands] = [[], [], []];
  }
  return { steps, lines, wrote, copied };

  function ref(number: number): TurnRef {
    return { session: 's', runId: 'r', turn: number };
  }

  function act({ hand, what, at, size }: Deed, isTurn: boolean): void {
    // Between the turns there is only the person.
    const own = isTurn ? hand : 'person';
    count += 1;
    const toolId = `t${count}`;
    const writer: Writer =
      own === 'agent' || own === 'echo' ? `call ${toolId}` : isTurn ? `untold ${turn}` : `outside ${turn}`;
    const from = lines.length === 0 ? 0 : at % (lines.length + 1);
    const to = Math.min(lines.length, from + size);
    const made = (): TrueLine[] => Array.from({ length: size }, () => fresh(writer));
    const result: Record<Deed['what'], () => TrueLine[]> = {
      insert: () => lines.toSpliced(from, 0, ...made()),
      delete: () => lines.toSpliced(from, size),
      replace: () => lines.toSpliced(from, size, ...made()),
      word: () =>
        lines.map((one, place) =>
          place === from && one.text !== '' ? line(`${one.text} // ${count}`, [writer]) : one,
        ),
      whole: () => [...lines.slice(0, 2), ...made(), ...made(), ...lines.slice(Math.max(2, lines.length - 2))],
      // What comes back is still of everybody who wrote it.
      revert: () =>
        (versions[at % versions.length] ?? []).map(({ text }) => line(text, [...(wrote.get(text) ?? []), writer])),
      // The words are those of whoever wrote them first.
      copy: () => {
        const copies = lines.slice(0, size).map(({ text, writers }) => line(text, [...writers, writer]));
        for (const { text } of copies) copied.add(text);
        return lines.toSpliced(from, 0, ...copies);
      },
      twin: () => lines.toSpliced(from, 0, line(COMMON[at % COMMON.length] ?? '}', [writer])),
    };
    const old = lines;
    let next =
      own === 'echo' ? [...lines, line(`echoed ${count}`, [writer])] : own === 'failing agent' ? lines : result[what]();
    const edit =
      own === 'echo'
        ? undefined
        : toldEdit(old, result === undefined ? old : own === 'failing agent' ? result[what]() : next, from, to);
    if (own === 'echo') {
      const said = next.at(-1)?.text ?? '';
      calls.push(callOf(toolId, 'execute', true, [{ path: 'f', kind: 'append', after: `${said}\n` }]));
    } else if (own === 'agent' && edit) {
      calls.push(callOf(toolId, 'edit', true, [edit]));
      // Who writes a whole file writes every line of it, also those that somebody put in a moment before.
      if (edit.kind === 'write') next = next.map(({ text, writers }) => line(text, [...writers, `whole ${toolId}`]));
    } else if (own === 'failing agent' && edit) calls.push(callOf(toolId, 'edit', false, [edit]));
    else if (own === 'command') commands.push(`make ${what}`);
    else if (own === 'agent') next = old;
    lines = next;
    versions.push(lines);
  }

  /** As an agent would tell it: the whole file, or a part that stands there once. */
  function toldEdit(
    old: readonly TrueLine[],
    next: readonly TrueLine[],
    from: number,
    to: number,
  ): KnownEdit | undefined {
    const [was, is] = [textOf(old), textOf(next)];
    const write: KnownEdit = { path: 'f', kind: 'write', after: is };
    if (count % 3 === 0) return write;
    const [begin, end] = [Math.max(0, from - 1), Math.min(old.length, to + 1)];
    const part = textOf(old.slice(begin, end));
    const [head, tail] = [textOf(old.slice(0, begin)), textOf(old.slice(end))];
    const isOnce = part !== '' && was.split(part).length === 2;
    if (!isOnce || !is.startsWith(head) || !is.endsWith(tail) || is.length < head.length + tail.length) return write;
    return { path: 'f', kind: 'replace', before: part, after: is.slice(head.length, is.length - tail.length) };
  }

  function callOf(toolId: string, kind: Call['kind'], isDone: boolean, edits: KnownEdit[]): Call {
    const allowed = { how: 'unasked', permission: 'bypass' } as const;
    return { ...ref(turn), toolId, tool: 'Edit', kind, at: count, allowed, isDone, edits };
  }
}
