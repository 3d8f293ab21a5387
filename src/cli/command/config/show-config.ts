/** `glassbox config`: prints what is in force, place by place. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { readConfiguration, userFile } from '../../../run/index.js';
import { isAddress, shownLocation, storeLocation } from '../../../store/location.js';
import { createPaint } from '../../../view/text/palette.js';
import { safe, safeJson } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { createHelpPage } from '../../help/help-page.js';
import { wantsColor } from '../../print/color.js';
import { projectName } from '../../print/session-cell.js';
import { print } from '../../print/sink.js';
import { withoutValues } from '../../print/without-values.js';
import type { ConfigFlags } from './command.js';
import { type SettingInForce, settingPlaces } from './setting-list.js';

export async function showConfig(this: Context, flags: ConfigFlags): Promise<void> {
  const { env, platform, stdout, cwd } = this.process;
  const surroundings = { cwd: cwd(), env, platform, home: homedir() };
  const configuration = withoutValues(await readConfiguration(surroundings));
  const places = settingPlaces(configuration);
  const { problems } = configuration;
  const ownFile = userFile(surroundings);
  const store = shownLocation(storeLocation(surroundings));
  if (problems.length > 0) this.process.exitCode = 2;
  if (flags.json)
    return print(stdout, [safeJson({ schema: 1, settings: configuration.settings, places, problems, ownFile, store })]);

  const page = createHelpPage(Math.min(stdout.columns || 80, 120), createPaint(wantsColor('auto', stdout, env)));
  const shown = (file: string) =>
    isAddress(file) ? file : projectName(file, surroundings.home, Number.POSITIVE_INFINITY);
  const headOf = (name: string) => {
    if (name === 'environment') return 'From the environment';
    if (name === 'default') return 'By default';
    return `${name === ownFile ? 'Your own' : 'This project'}: ${shown(name)}`;
  };
  const names = places.flatMap(({ settings }) => settings.map(({ name }) => safe(name)));
  const rows = places
    .filter(({ settings }) => settings.length > 0)
    .flatMap(({ name, settings }) => [
      page.heading(safe(headOf(name))),
      ...page.entries(
        settings.map((one): [string, string] => [safe(one.name), safe(saidOf(one, headOf))]),
        names,
      ),
      '',
    ]);
  await print(stdout, [
    ...rows,
    ...problems.flatMap((problem) => page.prose(safe(`✖ ${problem}`))),
    ...(existsSync(ownFile)
      ? []
      : page.prose(safe(`Your own file would be ${shown(ownFile)}; glassbox init makes it.`))),
    ...page.prose(safe(`Sessions are kept in ${shown(store)}${env.GLASSBOX_STORE ? ' (GLASSBOX_STORE)' : ''}.`)),
  ]);
}

function saidOf({ value, overriddenBy }: SettingInForce, headOf: (place: string) => string): string {
  return overriddenBy === undefined ? value : `(${value}; overridden: ${headOf(overriddenBy).toLowerCase()})`;
}
