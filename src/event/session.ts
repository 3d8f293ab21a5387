/** What is known about an agent's session; every field is optional because every agent says something else. */
export interface SessionFacts {
  model?: string;
  cwd?: string;
  /** Those that the agent lists to choose from, as it is told to use them. */
  models?: string[];
  tools?: string[];
  mcpServers?: McpServer[];
  permissionMode?: string;
  agentVersion?: string;
  /** Slash commands that the agent offers. */
  commands?: string[];
  /** Sub-agents that the agent can start. */
  agents?: string[];
  skills?: string[];
  plugins?: string[];
  title?: string;
  /** The run continues an earlier session, so cumulative figures include what came before. */
  resumed?: boolean;
  state?: 'idle' | 'running' | 'waiting';
}

export interface McpServer {
  name: string;
  status?: string;
}

export type SessionDraft =
  /** The agent introduced itself; once per run. */
  | ({ type: 'session-start' } & SessionFacts)
  /** The agent's session id became another one. */
  | { type: 'session-change'; previousId?: string; newId: string; reason: 'resume' | 'fork' | 'clear' | 'unknown' }
  /** Facts learned or changed later; only what changed is present. */
  | ({ type: 'session-update' } & SessionFacts);
