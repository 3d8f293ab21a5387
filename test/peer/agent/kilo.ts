import type { Peer } from '../peer.js';
import { platform, programAt } from '../program.js';
import { familyConfig, opencode } from './opencode.js';

export const kilo: Peer = {
  ...opencode,
  agent: 'kilo',
  asks: {},
  program: () => programAt('@kilocode', `cli-${platform}`, 'bin', 'kilo'),
  env: ({ url }) => ({
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_SESSION_INGEST: '1',
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_DEFAULT_PLUGINS: '1',
    KILO_TELEMETRY_LEVEL: 'off',
    KILO_CONFIG_CONTENT: familyConfig(url),
  }),
};
