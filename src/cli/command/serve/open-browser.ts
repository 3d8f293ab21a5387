/** Opens a page in the user's browser, without a shell; where that does not work, the printed link remains. */
import { spawn } from 'node:child_process';

export function openBrowser(url: string, platform: NodeJS.Platform): void {
  const [program, ...args] = commandFor(platform);
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function commandFor(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
