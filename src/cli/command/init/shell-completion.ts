/** Where the user's shell learns to complete, and whether it has. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { readSettings, writeSettings } from '../../../hook/settings-file.js';
import type { Shell } from '../completion/command.js';

export interface CompletionPlace {
  shell: Shell;
  file: string;
  isThere: boolean;
}

interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  platform: NodeJS.Platform;
}

/** By `SHELL`, which names the one that the user logs in with; undefined for one that has no script. */
export function completionPlace({ env, home, platform }: Surroundings): CompletionPlace | undefined {
  const shell = (['bash', 'zsh', 'fish'] as const).find((name) => name === path.basename(env.SHELL ?? ''));
  if (shell === undefined || platform === 'win32') return undefined;
  const config = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : path.join(home, '.config');
  const file = {
    bash: path.join(home, '.bashrc'),
    zsh: path.join(env.ZDOTDIR?.startsWith('/') ? env.ZDOTDIR : home, '.zshrc'),
    fish: path.join(config, 'fish', 'completions', 'glassbox.fish'),
  }[shell];
  return {
    shell,
    file,
    isThere: existsSync(file) && readFileSync(file, 'utf8').includes(`glassbox completion ${shell}`),
  };
}

/** The shell asks the program that is installed then for its script, so that it is never an old one. */
const LINES: Readonly<Record<Shell, string>> = {
  bash: 'command -v glassbox >/dev/null && source <(glassbox completion bash)',
  zsh: '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\ncommand -v glassbox >/dev/null && source <(glassbox completion zsh)',
  fish: 'command -q glassbox; and glassbox completion fish | source',
};

export async function addCompletion({ shell, file: named }: CompletionPlace): Promise<void> {
  await mkdir(path.dirname(named), { recursive: true });
  const file = await readSettings(named);
  const before =
    file.text === undefined || file.text === '' || file.text.endsWith('\n') ? (file.text ?? '') : `${file.text}\n`;
  await writeSettings(file, `${before}${LINES[shell]}\n`);
}
