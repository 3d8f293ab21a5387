/** What a client of the Agent Client Protocol asks for: a handshake, a session, a turn. */
import type { Said } from '../attachment.js';
import type { CommandRequest } from '../command.js';
import { anyString, isObject, type Json, members, objects, parsed, string, strings } from '../field.js';

/** glassbox only watches and answers: the agent uses its own files and terminals. */
export const initializeParams: Json = {
  protocolVersion: 1,
  clientCapabilities: {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    elicitation: { form: {}, url: {} },
  },
  clientInfo: { name: 'glassbox', version: '1' },
};

export type Opening = { method: string; params: Json } | { cannot: string };

/** How to open the wanted session with what this agent can do. For the latest one its id has to be asked for first. */
export function openSession(request: Partial<CommandRequest>, agentCapabilities: Json): Opening {
  const { resume, fork, cwd = '/', addDirs, mcpConfig } = request;
  const mcpServers = mcpServersOf(mcpConfig);
  if (!mcpServers) return { cannot: 'take MCP servers but as JSON' };
  const can = members(agentCapabilities.sessionCapabilities);
  const where = {
    cwd,
    mcpServers,
    ...(addDirs?.length && { additionalDirectories: addDirs }),
  };
  if (resume === undefined) return { method: 'session/new', params: where };
  if (resume === 'latest') {
    return can.list === undefined ? { cannot: 'find its latest session' } : { method: 'session/list', params: { cwd } };
  }
  const params = { sessionId: resume, ...where };
  if (fork === true) return can.fork === undefined ? { cannot: 'fork a session' } : { method: 'session/fork', params };
  if (can.resume !== undefined) return { method: 'session/resume', params };
  return agentCapabilities.loadSession === true ? { method: 'session/load', params } : { cannot: 'resume a session' };
}

export function promptParams(sessionId: string | undefined, { text, attachments = [] }: Said): Json {
  const pictures = attachments.map(({ mimeType, data }) => ({ type: 'image', mimeType, data }));
  return { sessionId, prompt: [...pictures, { type: 'text', text }] };
}

export type Setting = 'model' | 'mode';

/** The request that changes a setting, in whichever of its two forms the agent offers it. */
export function change(
  setting: Setting,
  value: string,
  sessionId: string | undefined,
  opened: Json,
): { method: string; params: Json } {
  const option = optionFor(setting, opened);
  if (option) return { method: 'session/set_config_option', params: { sessionId, configId: option.id, value } };
  return { method: `session/set_${setting}`, params: { sessionId, [`${setting}Id`]: value } };
}

export function currentOf(setting: Setting, opened: Json): string | undefined {
  const old = members(opened[`${setting}s`]);
  return (
    string(optionFor(setting, opened)?.currentValue) ??
    string(setting === 'model' ? old.currentModelId : old.currentModeId)
  );
}

/** Those that can be chosen, in whichever form the agent lists them; options may be grouped. */
export function modelsOf(opened: Json): string[] | undefined {
  const options = objects(optionFor('model', opened)?.options).flatMap((one) =>
    one.value === undefined ? objects(one.options) : [one],
  );
  const old = objects(members(opened.models).availableModels);
  const models = [...options.map(({ value }) => value), ...old.map(({ modelId }) => modelId)];
  return models.length === 0 ? undefined : strings(models)?.slice(0, MOST_MODELS);
}

const MOST_MODELS = 200;

export function offersMode(mode: string, opened: Json): boolean {
  const modes = objects(members(opened.modes).availableModes).map(({ id }) => id);
  const values = objects(optionFor('mode', opened)?.options).map(({ value }) => value);
  return [...modes, ...values].includes(mode);
}

function optionFor(setting: Setting, { configOptions }: Json): Json | undefined {
  return objects(configOptions).find(({ category }) => category === setting);
}

/** `{ mcpServers: { name: { command, args, env } } }`, the form most agents take, as this protocol's list. */
function mcpServersOf(mcpConfig = '{}'): Json[] | undefined {
  const config = parsed(mcpConfig);
  if (!isObject(config)) return undefined;
  const servers = members(config.mcpServers);
  const pairs = (value: unknown) =>
    Object.entries(members(value)).map(([name, text]) => ({ name, value: String(text) }));
  return Object.entries(servers).map(([name, server]) => {
    const { type, url, headers, command, args, env } = members(server);
    if (url !== undefined) return { type: anyString(type) ?? 'http', name, url, headers: pairs(headers) };
    return { name, command, args: strings(args) ?? [], env: pairs(env) };
  });
}
