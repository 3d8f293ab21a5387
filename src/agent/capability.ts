/** What an agent can do when driven by glassbox. A string says that it can, with a limit worth knowing. */
export interface Capabilities {
  /** Text word by word. */
  readonly deltas: Capability;
  readonly thinking: Capability;
  /** Asks before a tool runs and takes an answer. */
  readonly approvals: Capability;
  /** Takes a changed input with an approval. */
  readonly editInput: Capability;
  readonly questions: Capability;
  /** Stops the current turn and stays usable. */
  readonly interrupt: Capability;
  /** Takes further messages in the same process. */
  readonly followUp: Capability;
  readonly resume: Capability;
  readonly continueLast: Capability;
  readonly fork: Capability;
  /** Goes on from an earlier turn, without what came after it. */
  readonly resumeAt: Capability;
  readonly sessionId: Capability;
  readonly model: Capability;
  readonly addDirs: Capability;
  readonly allowedTools: Capability;
  readonly mcpConfig: Capability;
  readonly systemPrompt: Capability;
  readonly structuredOutput: Capability;
  readonly maxTurns: Capability;
  /** Tells what it cost. */
  readonly cost: Capability;
  readonly usage: Capability;
}

/** Where an agent of your own begins: what is not said to be possible is refused before anything starts. */
export const NO_CAPABILITIES: Capabilities = {
  deltas: false,
  thinking: false,
  approvals: false,
  editInput: false,
  questions: false,
  interrupt: false,
  followUp: false,
  resume: false,
  continueLast: false,
  fork: false,
  resumeAt: false,
  sessionId: false,
  model: false,
  addDirs: false,
  allowedTools: false,
  mcpConfig: false,
  systemPrompt: false,
  structuredOutput: false,
  maxTurns: false,
  cost: false,
  usage: false,
};

export type Capability = boolean | string;

export type CapabilityName = keyof Capabilities;
