/** What money is spent for: each has a name for people and a sentence by which a reader can check it. */

/** In the order in which people are told them. */
export const CAUSES = [
  'prompt',
  'tool',
  'failed-tool',
  'denied-tool',
  'repeated-tool',
  'sub-agent',
  'broken-cache',
  'retry',
  'compaction',
  'agent',
  'unattributed',
] as const;

export type Cause = (typeof CAUSES)[number];

export const CAUSE_NAMES: Readonly<Record<Cause, string>> = {
  prompt: 'prompts',
  tool: 'tool results',
  'failed-tool': 'failed tools',
  'denied-tool': 'denied tools',
  'repeated-tool': 'repeated tools',
  'sub-agent': 'sub-agents',
  'broken-cache': 'broken caches',
  retry: 'retries',
  compaction: 'compaction',
  agent: 'agent itself',
  unattributed: 'not attributed',
};

export const CAUSE_MEANINGS: Readonly<Record<Cause, string>> = {
  prompt: 'calls that answer what somebody said',
  tool: 'calls that read what a tool gave back',
  'failed-tool': 'calls that read that a tool had failed',
  'denied-tool': 'calls that read that a tool was not allowed',
  'repeated-tool':
    'calls that read what they had read before: the same tool was given the same and gave the same back, and since then nobody said anything and no edit changed a file',
  'sub-agent': 'calls of sub-agents, and what an agent counts in a turn in which they worked and tells of no call',
  'broken-cache':
    'tokens that the call before had in the cache, and that this one paid for again, as new input or to be cached once more',
  retry: 'calls whose message was taken back, because its stream broke or another took its place',
  compaction: 'calls that sum up the conversation, to make room',
  agent:
    'calls that nobody asked for: the agent went on by itself, was woken by its own background work, or asked a model beside the conversation, as for a title, which it counts and does not show',
  unattributed:
    'turns of which the agent tells only the sum, and what was written in a turn by calls of which some are not shown',
};
