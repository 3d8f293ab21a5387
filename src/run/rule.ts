/** Standing answers to approval requests: allow, deny or ask by tool kind, tool name, path and command. */
import type { EventOf, ToolKind } from '../event/index.js';
import { allowsCommand, containsCommand, matchesName, matchesPath, type Place } from './pattern.js';

/** Every field that is present must match. At least one besides `decision` is needed. */
export interface Rule {
  decision: 'allow' | 'deny' | 'ask';
  kind?: ToolKind;
  /** Name of the tool; `*` stands for anything. */
  tool?: string;
  /** Glob over the paths that the call names. */
  path?: string;
  /** Pattern over the command line; `*` stands for anything. */
  command?: string;
}

export type ApprovalRequest = EventOf<'approval-request'>;

/**
 * The rule that decides, if one does. Deny goes before ask before allow, whatever their order and origin:
 * no file can loosen what another forbids.
 */
export function findRule(
  rules: readonly Rule[],
  request: ApprovalRequest,
  input: unknown,
  place: Place,
): Rule | undefined {
  const call: Call = { request, paths: pathsOf(request, input), command: commandOf(input), place };
  for (const decision of ['deny', 'ask', 'allow'] as const) {
    const found = rules.find((rule) => rule.decision === decision && matches(rule, call));
    if (found) return found;
  }
  return undefined;
}

/** For events and people: `deny path=**\/.env`. */
export function describeRule({ decision, ...conditions }: Rule): string {
  return [decision, ...Object.entries(conditions).map(([name, value]) => `${name}=${value}`)].join(' ');
}

/** Paths that a tool call names, in the fields that agents use for them. */
export function pathsOf(request: ApprovalRequest, input: unknown): string[] {
  const paths = request.blockedPath === undefined ? [] : [request.blockedPath];
  return [...paths, ...fieldsOf(input, PATH_FIELDS)];
}

interface Call {
  request: ApprovalRequest;
  paths: readonly string[];
  command: string | undefined;
  place: Place;
}

const PATH_FIELDS = ['file_path', 'filePath', 'path', 'notebook_path', 'file', 'target_file', 'absolute_path'];
const COMMAND_FIELDS = ['command', 'cmd', 'script'];

function matches(rule: Rule, { request, paths, command, place }: Call): boolean {
  const { decision } = rule;
  if (rule.kind !== undefined && rule.kind !== request.toolKind) return false;
  if (rule.tool !== undefined && !matchesName(request.toolName ?? '', rule.tool)) return false;
  if (rule.path !== undefined) {
    const { path } = rule;
    const hit = (file: string) => matchesPath(file, path, place);
    // To allow, every path must be inside; to forbid, one is enough.
    if (decision === 'allow' ? paths.length === 0 || !paths.every(hit) : !paths.some(hit)) return false;
  }
  if (rule.command !== undefined) {
    if (command === undefined) return false;
    if (!(decision === 'allow' ? allowsCommand : containsCommand)(command, rule.command)) return false;
  }
  return true;
}

function commandOf(input: unknown): string | undefined {
  return fieldsOf(input, COMMAND_FIELDS)[0];
}

function fieldsOf(input: unknown, names: readonly string[]): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const fields = new Map(Object.entries(input));
  return names.map((name) => fields.get(name)).filter((value) => typeof value === 'string');
}
