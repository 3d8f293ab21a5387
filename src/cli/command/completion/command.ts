/** `glassbox completion SHELL`: what makes Tab complete commands, flags, agents and sessions. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

export const completion = buildCommand<Record<never, never>, [Shell], Context>({
  docs: {
    brief: 'Let Tab complete commands, flags, agents and sessions',
    fullDescription: `Prints a script for your shell. Titles of sessions are shown beside their ids and never become a part of the line.

  echo 'source <(glassbox completion bash)' >> ~/.bashrc
  echo 'source <(glassbox completion zsh)' >> ~/.zshrc
  glassbox completion fish > ~/.config/fish/completions/glassbox.fish

In zsh it has to stand behind compinit. Open a new terminal afterwards.`,
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: parseShell, placeholder: 'shell', brief: SHELLS.join(', ') }],
    },
  },
  loader: async () => (await import('./print-script.js')).printScript,
});

function parseShell(text: string): Shell {
  const shell = SHELLS.find((one) => one === text);
  if (!shell) throw new SyntaxError(`There are scripts for ${SHELLS.join(', ')}, not for ${text}`);
  return shell;
}
