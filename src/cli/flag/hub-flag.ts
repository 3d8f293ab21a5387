/** Which hub a command talks to. */
import type { FlagParametersForType } from '@stricli/core';
import type { HubFlags } from '../hub.js';
import { parseText } from './parse-text.js';

const text = { kind: 'parsed', parse: parseText, optional: true } as const;

export const hubFlags: FlagParametersForType<HubFlags> = {
  hub: { ...text, placeholder: 'url', brief: 'The hub, as https://hub.example (default: GLASSBOX_HUB)' },
  tokenFile: {
    ...text,
    placeholder: 'file',
    brief: 'The file with the token (default: GLASSBOX_HUB_TOKEN_FILE, or the token in GLASSBOX_HUB_TOKEN)',
  },
};
