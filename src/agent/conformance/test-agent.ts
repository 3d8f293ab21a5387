import { type OptionNames, refuseUnknown } from '../../event/option.js';
import { type AgentCase, type AgentConformance, expectNone } from './case.js';
import { commandCases } from './command-cases.js';
import { ODD } from './mutant.js';
import { recordingCases } from './recording-cases.js';
import { replay } from './replay.js';

const NAMES: OptionNames<AgentConformance> = {
  agent: true,
  recordings: true,
  commands: true,
  pairedFlags: true,
  conversations: true,
  check: true,
};

/**
 * The contract of an agent as cases for any test runner: what its program prints is understood, whatever it prints is survived, what it
 * is asked can be no flag, and what it is answered is what a recorded host answered.
 */
export function testAgent(conformance: AgentConformance): AgentCase[] {
  refuseUnknown('testAgent', conformance, NAMES);
  const { agent, recordings, conversations = [] } = conformance;
  return [
    {
      name: 'there is a recording',
      run: () => expectNone(recordings.some(({ lines }) => lines.length > 0) ? [] : ['there is none with lines']),
    },
    {
      name: 'is between not at all and certainly sure of any line',
      run() {
        for (const lines of [
          [],
          ODD,
          ...ODD.map((line) => [line]),
          ...recordings.map((recording) => recording.lines),
        ]) {
          const certainty = agent.detect(lines);
          expectNone(
            certainty >= 0 && certainty <= 1 ? [] : [`it is ${certainty} sure of ${JSON.stringify(lines[0])}`],
          );
        }
      },
    },
    ...recordings.flatMap((recording) => recordingCases(conformance, recording)),
    ...commandCases(conformance),
    ...conversations.map((conversation) => ({
      name: `${conversation.name}: answers as the recorded host, line by line`,
      run: () => expectNone(replay(agent, conversation)),
    })),
  ];
}
