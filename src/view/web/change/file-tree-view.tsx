/** The files of a review as a tree beside the lines; however many there are, only those in sight exist. */
import { Check, Folder } from 'lucide-preact';
import { useMemo, useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';
import { visible } from '../text/visible.js';
import { type TreeRow, treeRows } from './file-tree.js';
import type { ReviewFile } from './review-file.js';
import type { Seen } from './seen.js';
import './file-tree.css';

interface Props {
  files: readonly ReviewFile[];
  current: string | undefined;
  seen: Seen;
  onChoose: (file: ReviewFile) => void;
}

export function FileTree({ files, current, seen, onChoose }: Props) {
  const frame = useRef<HTMLElement>(null);
  const rows = useMemo(() => treeRows(files), [files]);
  return (
    <nav class="file-tree" ref={frame} aria-label="Changed files">
      <Virtualizer data={rows} scrollRef={frame} itemSize={30} bufferSize={200}>
        {(row: TreeRow) =>
          row.kind === 'folder' ? (
            <div key={row.key} class="tree-folder" style={{ '--depth': row.depth }}>
              <Folder size={14} aria-hidden="true" />
              <span class="cut">{visible(row.name)}</span>
            </div>
          ) : (
            <button
              key={row.key}
              type="button"
              class="tree-file"
              style={{ '--depth': row.depth }}
              aria-current={row.file.path === current ? 'true' : undefined}
              title={visible(row.file.path)}
              onClick={() => onChoose(row.file)}
            >
              <span class={`cut tree-name change-${row.file.change}`}>{visible(row.name)}</span>
              {seen.isSeen(row.file) && (
                <>
                  <Check class="tree-seen" size={14} aria-hidden="true" />
                  <span class="sr-only">seen</span>
                </>
              )}
              {row.file.lines && (
                <span class="tree-sum">
                  <span class="added">+{row.file.lines.added}</span>{' '}
                  <span class="removed">−{row.file.lines.removed}</span>
                </span>
              )}
            </button>
          )
        }
      </Virtualizer>
    </nav>
  );
}
