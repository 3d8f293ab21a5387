import { redactText } from '../../decode/index.js';
import type { Configuration, Settings } from '../../run/index.js';

/** Variables hold keys, and other settings may: what doctor prints is pasted into bug reports. */
export function withoutValues(configuration: Configuration): Configuration {
  const hide = (settings: Settings): Settings => {
    if (!settings.agents) return withoutSecrets(settings);
    const agents = Object.entries(settings.agents).map(([name, { env, ...rest }]) => {
      const hidden = env && Object.fromEntries(Object.keys(env).map((variable) => [variable, '(set)']));
      return [name, hidden ? { ...rest, env: hidden } : rest];
    });
    return withoutSecrets({ ...settings, agents: Object.fromEntries(agents) });
  };
  const sources = configuration.sources.map(({ name, settings }) => ({ name, settings: hide(settings) }));
  const problems = configuration.problems.map((problem) => redactText(problem));
  return { ...configuration, problems, settings: hide(configuration.settings), sources };
}

function withoutSecrets(settings: Settings): Settings {
  return JSON.parse(JSON.stringify(settings), (_, value) => (typeof value === 'string' ? redactText(value) : value));
}
