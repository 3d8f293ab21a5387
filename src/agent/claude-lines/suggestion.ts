/** The permission updates that an ask proposes, in neutral words: rules, directories and modes, and where each is written. */
import type { Suggestion, ToolKind } from '../../event/index.js';
import { anyString, type Json, lookUp, objects, string, strings } from '../field.js';
import { type Lasting, narrowestFirst } from '../suggestion.js';

/** What is no permission update is left out: Qwen Code lists the buttons of its own dialog there. */
export function readSuggestions(value: unknown, kindOf: (tool: string) => ToolKind): Lasting<Json>[] {
  return narrowestFirst(
    objects(value).flatMap((form) => {
      const meaning = meaningOf(form, kindOf);
      return meaning ? [{ suggestion: { ...meaning, ...scopeOf(form.destination) }, form }] : [];
    }),
  );
}

type Meaning = Pick<Suggestion, 'allows' | 'what'>;

function meaningOf(form: Json, kindOf: (tool: string) => ToolKind): Meaning | undefined {
  switch (form.type) {
    case 'addRules':
      return rulesOf(form, kindOf);
    case 'addDirectories':
      return { allows: 'directory', what: strings(form.directories) ?? [] };
    case 'setMode':
      return { allows: 'mode', what: [lookUp(MODES, string(form.mode)) ?? anyString(form.mode) ?? ''] };
    case 'replaceRules':
    case 'removeRules':
    case 'removeDirectories':
      return { allows: 'other', what: [`${form.type} ${ruleTexts(form).join(', ')}`.trim()] };
    default:
      return undefined;
  }
}

/** Its modes as runs name them; others keep their own names. */
const MODES: Readonly<Record<string, string>> = {
  default: 'ask',
  acceptEdits: 'accept-edits',
  bypassPermissions: 'bypass',
};

/** Rules about one kind of thing are told as those things; others in the agent's own words. */
function rulesOf(form: Json, kindOf: (tool: string) => ToolKind): Meaning {
  const rules = objects(form.rules).map((rule) => ruleOf(rule, kindOf));
  const [first] = rules;
  const isAllow = form.behavior === undefined || form.behavior === 'allow';
  if (isAllow && first && rules.every(({ allows }) => allows === first.allows))
    return { allows: first.allows, what: rules.map(({ what }) => what) };
  return { allows: 'other', what: ruleTexts(form).map((text) => (isAllow ? text : `${form.behavior} ${text}`)) };
}

function ruleOf(
  { toolName, ruleContent }: Json,
  kindOf: (tool: string) => ToolKind,
): { allows: Suggestion['allows']; what: string } {
  const tool = anyString(toolName) ?? '';
  const content = string(ruleContent);
  if (content === undefined) return { allows: 'tool', what: tool };
  const kind = kindOf(tool);
  if (kind === 'execute') return { allows: 'command', what: content.replace(/:\*$/, ' *') };
  if (kind === 'read' || kind === 'edit' || kind === 'search') return { allows: 'path', what: content };
  if (content.startsWith('domain:')) return { allows: 'host', what: content.slice('domain:'.length) };
  return { allows: 'other', what: `${tool}(${content})` };
}

function ruleTexts(form: Json): string[] {
  const rules = objects(form.rules).map(({ toolName, ruleContent }) =>
    ruleContent === undefined ? `${toolName}` : `${toolName}(${ruleContent})`,
  );
  return [...rules, ...(strings(form.directories) ?? [])];
}

function scopeOf(destination: unknown): Pick<Suggestion, 'lasts' | 'file'> {
  return lookUp(SCOPES, string(destination)) ?? { lasts: 'unknown' };
}

const SCOPES: Readonly<Record<string, Pick<Suggestion, 'lasts' | 'file'>>> = {
  session: { lasts: 'session' },
  cliArg: { lasts: 'session' },
  localSettings: { lasts: 'project', file: '.claude/settings.local.json' },
  projectSettings: { lasts: 'project', file: '.claude/settings.json' },
  userSettings: { lasts: 'user', file: '~/.claude/settings.json' },
};
