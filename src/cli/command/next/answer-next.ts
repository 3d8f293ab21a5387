/** `glassbox next`: asks the person here what agents anywhere wait for. */
import { homedir } from 'node:os';
import { decisionText, lineFor } from '../../../consent/index.js';
import { agentNamed } from '../../../decode/index.js';
import { type Answer, GlassboxError } from '../../../event/index.js';
import type { SessionRecord, Store } from '../../../store/index.js';
import { safeLine } from '../../../view/text/safe.js';
import type { AnswerFlags } from '../../ask/answer-by-code.js';
import { findPerson } from '../../ask/find-person.js';
import type { Person } from '../../ask/person.js';
import { questionRows } from '../../ask/question-rows.js';
import type { Context } from '../../context.js';
import { createInterrupt } from '../../interrupt.js';
import { liveSession, liveSessions } from '../../kept/live-session.js';
import { type OpenQuestion, openQuestions } from '../../kept/open-question.js';
import { giveAnswer } from '../../kept/tell-session.js';
import { withStore } from '../../kept/with-store.js';
import { createQuestionScreen } from '../../live/question-screen.js';
import { byWords } from '../../print/by-words.js';
import { wantsColor } from '../../print/color.js';
import { note } from '../../print/note.js';
import { projectName } from '../../print/session-cell.js';
import { print } from '../../print/sink.js';
import { TERMINAL_DECIDER } from '../../terminal-decider.js';

export async function answerNext(this: Context, flags: AnswerFlags, ref?: string): Promise<void> {
  const { process } = this;
  const { stdout, stderr, env } = process;
  using asking = findPerson(flags, process);
  const { terminal } = asking;
  const canDraw = terminal && env.TERM !== 'dumb';
  const color = wantsColor(flags.color, terminal?.output ?? stdout, env);
  using drawn = canDraw ? createQuestionScreen(process, { terminal, color }) : undefined;
  const person = drawn ?? asking.person;
  using interrupt = createInterrupt(process);
  await withStore(flags, async (store) => {
    const only = ref === undefined ? undefined : await liveSession(store, ref);
    const seen = new Set<string>();
    for (let isFirst = true; ; isFirst = false) {
      const question = (await openQuestions(store, only ? [only] : await liveSessions(store))).find(
        ({ code }) => !seen.has(code),
      );
      if (!question || interrupt.signal.aborted) {
        if (isFirst) note(stderr, `${only?.id ?? 'no agent'} waits for ${only ? 'no' : 'an'} answer.`);
        break;
      }
      if (!person) {
        const options = { width: stdout.columns || 80, color: wantsColor(flags.color, stdout, env) };
        return print(stdout, questionRows(question, options));
      }
      seen.add(question.code);
      await askOne(store, question, person, interrupt.signal, stderr);
    }
  });
  process.exitCode = interrupt.status() ?? 0;
}

/** What goes wrong with one question is told, and the next one is asked. */
async function askOne(
  store: Store,
  question: OpenQuestion,
  person: Person,
  interrupted: AbortSignal,
  stderr: NodeJS.WriteStream,
): Promise<void> {
  const { request, session: id, runId } = question;
  using following = abortable();
  const { signal } = following;
  // Listened first and looked then, so that no change falls in between.
  const changes = store.watch({ signal });
  const session = await store.session(id);
  if (session) stderr.write(`\n${byWords(introduction(session), stderr)}\n`);
  const leave = () => person.withdraw(request.id, 'Left open.');
  interrupted.addEventListener('abort', leave, { signal });
  void withdrawWhenSettled();
  const agent = session?.runs.find((run) => run.runId === runId)?.agent ?? '';
  const canEdit = agentNamed(agent)?.capabilities.editInput !== false;
  const answer = await person.ask(request, { canEdit, canLeave: true });
  following.abort();
  if (answer === undefined) return;
  const tell = (what: string) =>
    void stderr.write(`${byWords(`${what}: ${safeLine(lineFor(request), 200)}`, stderr)}\n`);
  if (answer === 'later') return tell('Left open');
  try {
    await giveAnswer(store, question, answer);
    tell(decidedText(answer));
  } catch (error) {
    if (!(error instanceof GlassboxError)) throw error;
    note(stderr, error.message);
  }

  async function withdrawWhenSettled(): Promise<void> {
    for await (const some of changes) {
      if (!some.some((one) => one.id === id)) continue;
      const open = await store.approvals(runId);
      if (!open.some((one) => one.request.id === request.id)) return person.withdraw(request.id);
    }
  }
}

function decidedText({ type, ...given }: Answer): string {
  const isAlways = 'remember' in given && given.remember !== undefined;
  const decision = type === 'approve' ? (isAlways ? 'allow-always' : 'allow') : type;
  return decisionText({ decision, ...TERMINAL_DECIDER });
}

function abortable(): AbortController & Disposable {
  const controller = new AbortController();
  return Object.assign(controller, { [Symbol.dispose]: () => controller.abort() });
}

function introduction({ id, agent, cwd, title }: SessionRecord): string {
  const about = [agent, projectName(cwd, homedir()), safeLine(title, 80)].filter(Boolean);
  return `${id} · ${about.join(' · ')}`;
}
