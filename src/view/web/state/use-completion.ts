/** What is offered while somebody types a command or a file; the last answer stays until the next one is there. */
import { useEffect, useState } from 'preact/hooks';
import { commandsLike, type Wanted } from '../text/completion.js';
import { client } from './server.js';

/** What can be completed: commands of the agent, and files of this folder. */
export interface Offer {
  commands: readonly string[];
  /** Absent: no files can be asked for. */
  folder?: string | undefined;
}

const TYPING_MS = 80;
const MOST_SHOWN = 8;

export function useCompletion(wanted: Wanted | undefined, { commands, folder }: Offer): string[] {
  const [files, setFiles] = useState<string[]>([]);
  const text = wanted?.kind === 'file' && folder !== undefined ? wanted.text : undefined;
  useEffect(() => {
    if (text === undefined) return setFiles([]);
    let isOld = false;
    const take = (found: string[]) => {
      if (!isOld) setFiles(found.slice(0, MOST_SHOWN));
    };
    const timer = setTimeout(() => void client.findFiles({ text, cwd: folder }).then(take, () => take([])), TYPING_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text, folder]);
  if (!wanted) return [];
  return wanted.kind === 'command' ? commandsLike(commands, wanted.text) : files;
}
