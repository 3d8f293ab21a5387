/** Settings one by one, each from the place that has the last word about it. */
import { type Configuration, describeRule, type Settings } from '../../../run/index.js';

export interface SettingInForce {
  /** `agents.claude.model` */
  name: string;
  value: string;
  /** The stronger place that has another word about it. */
  overriddenBy?: string;
}

export interface SettingPlace {
  name: string;
  settings: SettingInForce[];
}

/** Where nobody says anything else. The others are off, or the agent's own. */
export const USUAL: Readonly<Partial<Record<keyof Settings, string>>> = {
  permission: 'ask',
  deltas: 'true',
  lowLatency: 'false',
  checkpoints: 'true',
  survivorGraceMs: '2000',
  notices: 'true',
};

/** The strongest place first; rules of all places hold. */
export function settingPlaces({ sources }: Configuration): SettingPlace[] {
  const decided = new Map<string, string>();
  const places = sources.map(({ name: place, settings }) => ({
    name: place,
    settings: namedValues(settings).map(({ name, value }): SettingInForce => {
      const overriddenBy = decided.get(name);
      if (name !== 'rules') decided.set(name, overriddenBy ?? place);
      return { name, value, ...(overriddenBy !== undefined && { overriddenBy }) };
    }),
  }));
  const usual = Object.entries(USUAL).filter(([name]) => !decided.has(name));
  return [...places, { name: 'default', settings: usual.map(([name, value]) => ({ name, value })) }];
}

/** Objects that are put together part by part are told by their parts. */
const PARTS: Readonly<Record<string, number>> = { watchdog: 1, serve: 1, watch: 2, agents: 2 };

function namedValues({ rules = [], ...settings }: Settings): { name: string; value: string }[] {
  return [
    ...Object.entries(settings).flatMap(([name, value]) => parts(name, value, PARTS[name] ?? 0)),
    ...rules.map((rule) => ({ name: 'rules', value: describeRule(rule) })),
  ];
}

function parts(name: string, value: unknown, depth: number): { name: string; value: string }[] {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }];
  return Object.entries(value).flatMap(([key, part]) => parts(`${name}.${key}`, part, depth - 1));
}
