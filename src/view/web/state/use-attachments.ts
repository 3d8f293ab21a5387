/** What is attached to what is being written: sent to the server at once, shown from the page's own copy, known by an id. */
import { useState } from 'preact/hooks';
import type { KeptAttachment } from '../../../client/index.js';
import { visible } from '../text/visible.js';
import { client, messageOf } from './server.js';

export interface Attached extends KeptAttachment {
  /** Of a picture, as an address of data. */
  picture?: string;
}

export interface Attachments {
  files: readonly Attached[];
  /** What the agent takes; none where it takes words alone. */
  types: readonly string[];
  isBusy: boolean;
  problem: string;
  add(files: Iterable<File>): void;
  remove(id: string): void;
  clear(): void;
  /** As a request has them. */
  ids(): { attachments?: string[] };
}

const MOST = 10;
const MOST_BYTES = 8 * 1024 * 1024;

export function useAttachments(types: readonly string[] = []): Attachments {
  const [files, setFiles] = useState<readonly Attached[]>([]);
  const [sending, setSending] = useState(0);
  const [problem, setProblem] = useState('');

  const send = async (file: File): Promise<void> => {
    const name = visible(file.name || 'picture');
    if (file.size > MOST_BYTES) return setProblem(`${name} is larger than 8 MiB. Attach a smaller one.`);
    setSending((count) => count + 1);
    try {
      const data = await read(file);
      const kept = await client.attach({ name, data });
      if (!types.includes(kept.mimeType))
        return setProblem(`${kept.name} cannot be attached: the agent takes pictures.`);
      const isPicture = kept.mimeType.startsWith('image/');
      setFiles((now) => [...now, { ...kept, ...(isPicture && { picture: `data:${kept.mimeType};base64,${data}` }) }]);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setSending((count) => count - 1);
    }
  };

  return {
    files,
    types,
    isBusy: sending > 0,
    problem,
    add(added) {
      const all = [...added];
      setProblem(files.length + all.length > MOST ? `At most ${MOST} files can be attached.` : '');
      for (const file of all.slice(0, Math.max(0, MOST - files.length))) void send(file);
    },
    remove: (id) => setFiles((now) => now.filter((file) => file.id !== id)),
    clear() {
      setFiles([]);
      setProblem('');
    },
    ids: () => (types.length > 0 && files.length > 0 ? { attachments: files.map(({ id }) => id) } : {}),
  };
}

/** As base64. */
function read(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
