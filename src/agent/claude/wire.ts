/**
 * What Claude Code prints, in its own spelling. Every field is optional, because versions differ; unknown fields
 * stay on the value, so encoding a decoded event gives the same JSON value.
 */
export interface WireEvent {
  type: 'system' | 'assistant' | 'user' | 'result' | (string & {});
  subtype?: string;
  session_id?: string;
  uuid?: string;
  parent_tool_use_id?: string | null;
  message?: WireMessage | null;
  /** `system/init` */
  tools?: string[];
  mcp_servers?: ({ name: string; status?: string } | string)[];
  model?: string;
  cwd?: string;
  permissionMode?: string;
  claude_code_version?: string;
  /** `result` */
  result?: string;
  errors?: string[];
  total_cost_usd?: number;
  /** Spelling of early versions. */
  cost_usd?: number;
  duration_ms?: number;
  duration_api_ms?: number;
  is_error?: boolean;
  num_turns?: number;
  usage?: WireUsage;
  /** `assistant`: a failed model call. */
  error?: string;
  [key: string]: unknown;
}

export interface WireMessage {
  id?: string;
  type?: string;
  role?: string;
  model?: string;
  content?: WireBlock[] | string | null;
  stop_reason?: string | null;
  usage?: WireUsage;
  [key: string]: unknown;
}

export interface WireUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation_input_tokens?: number;
  [key: string]: unknown;
}

export interface WireBlock {
  type: 'text' | 'tool_use' | 'tool_result' | (string & {});
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: unknown;
  is_error?: boolean;
  [key: string]: unknown;
}
