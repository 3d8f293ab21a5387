/** What an agent's program prints is understood, and whatever it prints is survived. */
import type { AgentEvent, Draft } from '../../event/index.js';
import { type AgentCase, type AgentConformance, type AgentRecording, expectNone } from './case.js';
import { draftsOf } from './drive.js';
import { violations } from './invariants.js';
import { mutants } from './mutant.js';

export function recordingCases({ agent, check }: AgentConformance, recording: AgentRecording): AgentCase[] {
  const { name, lines } = recording;
  const wrongWith = (some: readonly unknown[]) => violations(stamped(draftsOf(agent, some)));
  return [
    {
      name: `${name}: is understood and sound`,
      run() {
        const events = draftsOf(agent, lines);
        const unknown = events.filter((event) => event.type === 'unknown');
        expectNone(unknown.map(({ wireType }) => `a line of type ${wireType} is not understood`));
        expectNone(violations(stamped(events)));
        expectNone(check?.(events, recording) ?? []);
      },
    },
    {
      name: `${name}: tells the same each time, without a clock or chance`,
      run() {
        const [first, second] = [draftsOf(agent, lines), draftsOf(agent, lines)].map((drafts) =>
          drafts.map((draft) => JSON.stringify(draft)),
        );
        expectNone(first?.filter((draft, index) => draft !== second?.[index]) ?? [], 'told otherwise the second time:');
      },
    },
    {
      name: `${name}: is sound however early it ends`,
      run() {
        const stride = Math.max(1, Math.floor(lines.length / 60));
        for (let length = 0; length < lines.length; length += stride)
          expectNone(wrongWith(lines.slice(0, length)), `after ${length} lines:`);
      },
    },
    {
      name: `${name}: is sound with a wrong value in any field`,
      run() {
        for (const mutant of mutants(lines)) {
          const wrong = wrongWith(mutant.lines);
          expectNone(
            wrong.filter((sentence) => !/differs from its deltas/.test(sentence)),
            `with ${mutant.what}:`,
          );
        }
      },
    },
  ];
}

function stamped(drafts: readonly Draft[]): AgentEvent[] {
  return drafts.map((draft, index) => ({
    source: 'stream',
    ...draft,
    seq: index + 1,
    at: 0,
    runId: 'run',
    agent: 'agent',
  }));
}
