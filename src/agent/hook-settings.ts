/** Hooks in a settings file, as several programs keep them: `hooks` has a list for each event, of groups, each with a list of commands. */
import { GlassboxError } from '../event/index.js';
import { members, objects, string } from './field.js';
import type { FoundHook, HookMode, Hooks } from './hooks.js';
import {
  appendEntries,
  type Insertion,
  type JsonEntry,
  type JsonNode,
  layoutOf,
  memberOf,
  readJsonText,
  withoutEntry,
} from './json-text.js';

export interface HookedEvent {
  mode: HookMode;
  /** How long the agent waits for it, in its own unit. */
  timeout: number;
}

type Editing = Pick<Hooks, 'install' | 'find' | 'remove'>;

/** `events`: what is hooked, by the agent's own names. One that is in a mode which nobody asked for is only watched. */
export function hookSettings(events: Readonly<Record<string, HookedEvent>>): Editing {
  return {
    install(text, commandFor, modes) {
      const groups = Object.entries(events).map(([event, { mode, timeout }]) => {
        const command = commandFor(modes.includes(mode) ? mode : 'watch');
        return { event, group: { hooks: [{ type: 'command', command, timeout }] } };
      });
      if (text.trim() === '' || text === '\uFEFF') {
        const whole = { hooks: Object.fromEntries(groups.map(({ event, group }) => [event, [group]])) };
        return [{ at: text.length, text: `${JSON.stringify(whole, null, 2)}\n` }];
      }
      const root = rootOf(text);
      const layout = layoutOf(text, root);
      const hooks = memberOf(root, 'hooks')?.node;
      if (!hooks) {
        const value = Object.fromEntries(groups.map(({ event, group }) => [event, [group]]));
        return appendEntries(text, root, [{ key: 'hooks', value }], 0, layout);
      }
      if (!isObjectNode(hooks)) throw unlike('"hooks" is not an object');
      const added: { key: string; value: unknown }[] = [];
      const insertions = groups.flatMap(({ event, group }): Insertion[] => {
        const list = memberOf(hooks, event)?.node;
        if (list && !Array.isArray(list.value)) throw unlike(`"hooks"."${event}" is not a list`);
        if (list) return appendEntries(text, list, [{ value: group }], 2, layout);
        added.push({ key: event, value: [group] });
        return [];
      });
      return [...insertions, ...appendEntries(text, hooks, added, 1, layout)].sort((a, b) => a.at - b.at);
    },

    find(text) {
      const hooks = members(members(readJsonText(text)?.value).hooks);
      return Object.entries(hooks).flatMap(([at, groups]) =>
        objects(groups).flatMap((group) =>
          objects(group.hooks).flatMap((hook): FoundHook[] => {
            const command = string(hook.command);
            return command === undefined ? [] : [{ at, command }];
          }),
        ),
      );
    },

    remove(text, isOurs) {
      let left = text;
      for (;;) {
        const next = withoutOne(left, isOurs);
        if (next === undefined) return left;
        left = next;
      }
    },
  };
}

/** Without the first hook of ours, and without what becomes empty by that; undefined when there is none. */
function withoutOne(text: string, isOurs: (command: string) => boolean): string | undefined {
  const root = readJsonText(text);
  const hooks = memberOf(root, 'hooks');
  for (const event of hooks?.node.entries ?? []) {
    for (const group of event.node.entries ?? []) {
      const list = memberOf(group.node, 'hooks');
      const ours = list?.node.entries?.find(({ node }) => isOurs(string(members(node.value).command) ?? ''));
      if (!root || !hooks || !list || !ours) continue;
      const way: [JsonNode, JsonEntry][] = [
        [root, hooks],
        [hooks.node, event],
        [event.node, group],
        [list.node, ours],
      ];
      let depth = way.length - 1;
      while (depth > 0 && way[depth]?.[0].entries?.length === 1) depth -= 1;
      const [container, entry] = way[depth] as [JsonNode, JsonEntry];
      return withoutEntry(text, container, entry);
    }
  }
  return undefined;
}

function rootOf(text: string): JsonNode {
  const root = readJsonText(text);
  if (!root) throw unlike('it is not JSON');
  if (!isObjectNode(root)) throw unlike('it is not an object');
  return root;
}

function isObjectNode({ value, entries }: JsonNode): boolean {
  return entries !== undefined && !Array.isArray(value);
}

function unlike(why: string): GlassboxError {
  return new GlassboxError('conflict', `The settings are not as they should be, so nothing was changed: ${why}.`);
}
