/** Which commands belong together, in the order in which a newcomer needs them. */

export interface HelpLine {
  /** Several are told by one line. */
  readonly names: readonly string[];
  /** Without it the line is what the command says of itself. */
  readonly brief?: string;
}

export const COMMAND_GROUPS: readonly (readonly [title: string, lines: readonly HelpLine[]])[] = [
  [
    'Start',
    [
      { names: ['run', 'loop', 'fork'], brief: 'Run an agent: once, until done, to take a session over' },
      { names: ['compare', 'apply'], brief: 'The same task for several agents; take one attempt over' },
      { names: ['resume', 'go-on', 'open'], brief: 'Go on: here, after a limit, in its own program' },
      { names: ['init', 'demo'], brief: 'Set glassbox up; see a run without an agent' },
    ],
  ],
  [
    'See what goes on',
    [
      { names: ['tui', 'serve'], brief: 'All sessions: on this screen, or as a page' },
      { names: ['ps', 'watch'], brief: 'Which agents are live now; what they do, as it happens' },
      { names: ['wait', 'why-state'], brief: 'Wait for a session; say how its state is known' },
    ],
  ],
  [
    'Answer and steer',
    [
      { names: ['next', 'review'], brief: 'Answer what waits; comment on what was changed' },
      { names: ['approve', 'deny', 'answer'], brief: 'Decide one question, by its code' },
      { names: ['say', 'interrupt', 'stop'], brief: 'Talk to an agent that works, or end what it does' },
    ],
  ],
  [
    'Sessions that were kept',
    [
      { names: ['sessions', 'search'], brief: 'List them, or find them by their words' },
      { names: ['show', 'replay', 'why'], brief: 'Read one again, see it as it happened; who made a line' },
      { names: ['cost', 'comparisons'], brief: 'What was spent; what was compared' },
      { names: ['export', 'import'], brief: 'As a file for others; the history that agents left here' },
      { names: ['rewind', 'worktrees'], brief: 'Take files back to a turn; folders that runs had' },
      { names: ['rename', 'pin', 'archive'], brief: 'Call one by a name of your own; keep it; put it away' },
      { names: ['delete', 'prune'], brief: 'Remove the ones that you name, or the oldest' },
    ],
  ],
  [
    'This machine, and others',
    [
      { names: ['doctor', 'config'], brief: 'Which agents are here; what is configured, and where' },
      { names: ['hooks', 'completion'], brief: 'Hear sessions that you start by hand; let Tab complete' },
      { names: ['worker', 'token', 'budget'], brief: 'Work for a hub; who may come in; what it may cost' },
      { names: ['fleet', 'conform'], brief: 'See a hub with workers; score who reads streams' },
    ],
  ],
];

/** They decide, end or remove something: who mistyped is not led to them. */
export const DEEDS: ReadonlySet<string> = new Set([
  'approve',
  'deny',
  'answer',
  'say',
  'interrupt',
  'stop',
  'rewind',
  'apply',
  'delete',
  'prune',
]);

/** They start agents, which cost money: only who missed by one letter is led to them. */
export const SPENDERS: ReadonlySet<string> = new Set(['run', 'loop', 'fork', 'resume', 'go-on', 'worker']);
