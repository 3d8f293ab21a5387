/** The person at the terminal: asked on the spot, one question after the other, each withdrawn when it is no longer open. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { ApprovalRequest, RunHandle } from '../run/index.js';
import { reasonLines, requestLines } from './approval-text.js';
import { editInput } from './edit-input.js';
import { type Field, fieldsOf } from './question-field.js';

export interface Person {
  /** Settles when the question was answered, here or elsewhere. */
  ask(request: ApprovalRequest, handle: RunHandle): Promise<void>;
  /** The question with this id is no longer open. */
  withdraw(id: string): void;
}

type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'emit'>;

/** `cwd` is where the agent works, for the files that it names. */
export function createPerson(terminal: Terminal, cwd: string): Person {
  let asked: { id: string; controller: AbortController } | undefined;
  const say = (...lines: string[]) => terminal.stderr.write(lines.map((line) => `${line}\n`).join(''));

  /** One line from the person; undefined when the question was withdrawn or the input has ended. */
  async function read(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    const lines = createInterface({ input: terminal.stdin, output: terminal.stderr });
    // While it reads, the terminal gives Ctrl-C to it and to nobody else.
    lines.on('SIGINT', () => terminal.emit('SIGINT', 'SIGINT'));
    const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
    try {
      return await Promise.race([lines.question(prompt, { signal }), ended]);
    } catch {
      return undefined;
    } finally {
      lines.close();
    }
  }

  async function decide(request: ApprovalRequest, handle: RunHandle, signal: AbortSignal): Promise<void> {
    for (;;) {
      const answer = await read(choicesFor(request), signal);
      if (signal.aborted) return;
      // The end of input is nobody: no.
      const [word = '', ...rest] = (answer ?? 'n').trim().split(/\s+/);
      const done = await act(word.toLowerCase(), rest.join(' '), request, handle);
      if (done) return;
    }
  }

  async function act(word: string, rest: string, request: ApprovalRequest, handle: RunHandle): Promise<boolean> {
    const { id } = request;
    if (word === 'y' || word === 'yes') return settle(() => handle.approve(id));
    if (word === 'n' || word === 'no') return settle(() => handle.deny(id, rest || undefined));
    if ((word === 'a' || word === 'always') && request.kind === 'tool') {
      return settle(() => handle.approve(id, { remember: true }));
    }
    if ((word === 'e' || word === 'edit') && request.kind === 'tool') {
      const edited = await editInput(request.input, terminal.env);
      if ('changes' in edited) return settle(() => handle.approve(id, { changes: edited.changes }));
      say(edited.problem);
      return false;
    }
    if (word === 'w' || word === 'why') say(...reasonLines(request));
    else say('y allows it, n (with a reason, if you like) does not, w tells more.');
    return false;
  }

  async function answerFields(
    fields: readonly Field[],
    request: ApprovalRequest,
    handle: RunHandle,
    signal: AbortSignal,
  ) {
    const answers: Record<string, unknown> = {};
    for (const { name, lines, several, read: parse } of fields) {
      say(...lines);
      const answer = await read(several ? 'Your choice (several with commas): ' : 'Your answer: ', signal);
      if (signal.aborted) return;
      if (answer === undefined) return void settle(() => handle.deny(request.id, 'The user did not answer.'));
      answers[name] = parse(answer);
    }
    settle(() => handle.answer(request.id, answers));
  }

  /** The person's own answer comes back as an event too; it must not look like a withdrawal. */
  function settle(decide: () => boolean): true {
    asked = undefined;
    decide();
    return true;
  }

  return {
    async ask(request, handle) {
      const controller = new AbortController();
      asked = { id: request.id, controller };
      // The bell, because people look elsewhere while an agent works.
      terminal.stderr.write('\u0007');
      const lines = requestLines(request, (file) => readSmall(path.resolve(cwd, file)));
      // The view has already said what is asked, where it is on the same screen.
      say(...(request.kind === 'tool' && terminal.stdout.isTTY ? lines.slice(1) : lines));
      const fields = fieldsOf(request);
      if (fields.length > 0) await answerFields(fields, request, handle, controller.signal);
      else await decide(request, handle, controller.signal);
      if (controller.signal.aborted) say('', 'It is no longer asked.');
      asked = undefined;
    },
    withdraw(id) {
      if (asked?.id === id) asked.controller.abort();
    },
  };
}

function choicesFor({ kind }: ApprovalRequest): string {
  if (kind === 'tool') return 'Allow? [y]es, [n]o, [a]lways, [e]dit, [w]hy: ';
  if (kind === 'plan') return 'Go on with this plan? [y]es, [n]o and what to change: ';
  return 'Yes or no? [y/n/w]: ';
}

/** For a diff; a large file would make the person wait for nothing. */
function readSmall(file: string): string | undefined {
  try {
    return statSync(file).size > 1_000_000 ? undefined : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
