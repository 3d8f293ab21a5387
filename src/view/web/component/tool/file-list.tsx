/** Files that a tool found, as a list. */
import { FileText } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { counted } from '../../../../word/index.js';
import { visible } from '../../text/visible.js';

const FIRST = 20;

export function FileList({ files }: { files: readonly string[] }) {
  const [limit, setLimit] = useState(FIRST);
  return (
    <>
      <ul class="files">
        {files.slice(0, limit).map((file) => (
          <li key={file}>
            <FileText size={14} aria-hidden="true" />
            {visible(file)}
          </li>
        ))}
      </ul>
      {files.length > limit && (
        <button type="button" class="button quiet" onClick={() => setLimit(files.length)}>
          {counted(files.length - limit, 'more file')}
        </button>
      )}
    </>
  );
}
