/** The person at the terminal: asked on the spot, one question after the other, each withdrawn when it is no longer open. */
import { consentFor, type Field, fieldsOf, promptFor, readTyped } from '../../consent/index.js';
import type { Answer } from '../../event/index.js';
import type { ApprovalRequest } from '../../run/index.js';
import { consentRows } from '../../view/text/index.js';
import { fieldRows, reasonRows } from '../../view/text/question-text.js';
import { wrap } from '../../view/text/wrap.js';
import type { AskingTerminal } from './asking-terminal.js';
import { editInput } from './edit-input.js';
import { createKeyboard, type Keyboard } from './keyboard.js';
import { createPager } from './pager.js';
import { HELP, type Reply, readReply } from './read-reply.js';

/** How a question is asked. */
export interface Manner {
  canEdit: boolean;
  /** It may be left for later; then the end of input leaves it too, which otherwise means no. */
  canLeave?: boolean;
}

export interface Person {
  /** Asked beside what is printed, several questions at a time: nothing has to wait for an answer. */
  readonly isBeside: boolean;
  /** The answer; `later` when it was left; undefined when it was withdrawn. */
  ask(request: ApprovalRequest, manner: Manner): Promise<Answer | 'later' | undefined>;
  /** The question with this id is no longer open, or nobody wants to answer it now, as `because` says. */
  withdraw(id: string, because?: string): void;
}

export interface PersonOptions {
  terminal: AskingTerminal;
  color: boolean;
  env: NodeJS.ProcessEnv;
  /** Somebody pressed Ctrl-C. */
  interrupt(): void;
}

export function createPerson({ terminal, color, env, interrupt }: PersonOptions): Person {
  const { output } = terminal;
  const keyboard = createKeyboard(terminal, interrupt);
  let asked: { id: string; controller: AbortController; because?: string } | undefined;
  const say = (rows: readonly string[]) => output.write(rows.map((row) => `${row}\n`).join(''));
  const rowOptions = () => ({ width: output.columns || 80, color });
  const tell = (text: string) => say(wrap(text, rowOptions().width));
  /** The last row of a prompt that is wider than the terminal is where the answer is typed. */
  const answerTo: Keyboard['line'] = (prompt, ...options) => {
    const rows = wrap(prompt, rowOptions().width);
    say(rows.slice(0, -1));
    return keyboard.line(rows.at(-1) ?? '', ...options);
  };

  async function decide(
    request: ApprovalRequest,
    { canEdit: agentTakesEdits, canLeave = false }: Manner,
    signal: AbortSignal,
  ): Promise<Answer | 'later' | undefined> {
    const consent = consentFor(request);
    const { head, body, always } = consentRows(consent, rowOptions());
    const pager = createPager(body, (output.rows || 24) - head.length - always.length);
    const canEdit = request.kind === 'tool' && agentTakesEdits;
    const choices = { scopes: always.length > 0 ? consent.always : [], canEdit, canLeave };
    say(['', ...head, ...(body.length > 0 ? [''] : []), ...pager.next()]);
    if (await keyboard.settle(signal)) tell(EARLY);
    let isToldAlways = false;
    for (;;) {
      const isWhole = pager.left() === 0;
      if (isWhole && !isToldAlways) {
        say(['', ...always]);
        if (consent.missing !== undefined) tell(consent.missing);
      }
      isToldAlways ||= isWhole;
      const line = await answerTo(
        promptOf({ kind: request.kind, ...choices, left: pager.left(), isMissing: consent.missing !== undefined }),
        signal,
      );
      if (signal.aborted) return undefined;
      // The end of input is nobody: no, where it cannot be left to somebody else.
      const said = readReply(line ?? (canLeave ? 'l' : 'n'), choices);
      const answer = await follow(said);
      if (answer) return answer;
    }

    async function follow(said: Reply): Promise<Answer | 'later' | undefined> {
      if ('problem' in said) tell(said.problem);
      else if ('later' in said) return 'later';
      else if ('more' in said) say(pager.left() > 0 ? pager.next() : wrap(HELP, rowOptions().width));
      else if ('why' in said) say(reasonRows(request, rowOptions()).concat(pager.rest()));
      else if ('answer' in said && said.answer.type === 'deny') return said.answer;
      else if (consent.missing !== undefined) tell(consent.missing);
      else if (pager.left() > 0) tell(`Not before its end was shown: ${pager.left()} more lines, Enter shows more.`);
      else if ('answer' in said) return said.answer;
      else return edit(request);
      return undefined;
    }
  }

  async function edit({ input }: ApprovalRequest): Promise<Answer | undefined> {
    const edited = await editInput(input, env, terminal.descriptors);
    if ('changes' in edited) return { type: 'approve', changes: edited.changes };
    tell(edited.problem);
    return undefined;
  }

  async function answerFields(
    request: ApprovalRequest,
    fields: readonly Field[],
    { canLeave = false }: Manner,
    signal: AbortSignal,
  ): Promise<Answer | 'later' | undefined> {
    say(['', ...consentRows(consentFor(request), rowOptions()).head]);
    const answers: Record<string, unknown> = {};
    let isFirst = true;
    for (const field of fields) {
      say(fieldRows(field, rowOptions()));
      if (isFirst && (await keyboard.settle(signal))) tell(EARLY);
      isFirst = false;
      const read = await answerField(field, signal);
      if (signal.aborted) return undefined;
      if (read === undefined) return canLeave ? 'later' : { type: 'deny', message: 'The user did not answer.' };
      if ('value' in read) answers[field.name] = read.value;
    }
    return { type: 'answer', answers };
  }

  /** Asked again until it makes sense; undefined at the end of input. */
  async function answerField(field: Field, signal: AbortSignal): Promise<{ value?: unknown } | undefined> {
    for (;;) {
      const line = await answerTo(promptFor(field), signal, { isSecret: field.type === 'secret' });
      if (line === undefined) return undefined;
      const read = readTyped(field, line);
      if (!('problem' in read)) return read;
      tell(read.problem);
    }
  }

  return {
    isBeside: false,
    async ask(request, manner) {
      const controller = new AbortController();
      const { signal } = controller;
      const mine: NonNullable<typeof asked> = { id: request.id, controller };
      asked = mine;
      const fields = fieldsOf(request);
      const answer =
        fields.length > 0 ? await answerFields(request, fields, manner, signal) : await decide(request, manner, signal);
      // The person's own answer comes back as an event too; it must not look like a withdrawal.
      asked = undefined;
      if (!signal.aborted) return answer;
      say([mine.because ?? 'It is no longer asked.']);
      return undefined;
    },
    withdraw(id, because) {
      if (asked?.id !== id) return;
      if (because !== undefined) asked.because = because;
      asked.controller.abort();
    },
  };
}

const EARLY = 'What was typed before this was on the screen does not answer it.';

interface Prompt {
  kind: ApprovalRequest['kind'];
  scopes: readonly unknown[];
  canEdit: boolean;
  canLeave: boolean;
  left: number;
  isMissing: boolean;
}

function promptOf({ kind, scopes, canEdit, canLeave, left, isMissing }: Prompt): string {
  const later = canLeave ? ', [l]ater' : '';
  if (left > 0) return `— ${left} more line${left === 1 ? '' : 's'}: Enter shows more, [w] all of it, [n]o${later} — `;
  if (isMissing) return `[n]o${later}, [w]hy: `;
  if (kind === 'plan') return `Go on with this plan? [y]es, [n]o and what to change${later}: `;
  const always = scopes.length === 0 ? '' : scopes.length === 1 ? ', [a]lways' : `, [a1] to [a${scopes.length}] always`;
  return `Allow? [y]es, [n]o${always}${canEdit ? ', [e]dit' : ''}${later}, [w]hy: `;
}
