/** Which rules hold for sessions that somebody started without glassbox. */
import { type Rule, readConfiguration, userFile } from '../../run/index.js';

/**
 * A project comes from somebody else, who was never asked about this session: its file may only deny or ask here. Undefined when what is
 * configured makes no sense.
 */
export async function hookRules(surroundings: Parameters<typeof readConfiguration>[0]): Promise<Rule[] | undefined> {
  const { sources, problems } = await readConfiguration(surroundings);
  if (problems.length > 0) return undefined;
  const own = ['environment', userFile(surroundings)];
  return sources.flatMap(({ name, settings: { rules = [] } }) =>
    own.includes(name) ? rules : rules.filter(({ decision }) => decision !== 'allow'),
  );
}
