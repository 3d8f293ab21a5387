/** The files of a review as a tree beside the lines; however many there are, only those in sight exist. */
import { useStore } from '@nanostores/preact';
import { Check, Folder } from 'lucide-preact';
import { memo } from 'preact/compat';
import { useMemo, useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';
import { visible } from '../text/visible.js';
import { type TreeRow, treeRows } from './file-tree.js';
import type { ReviewFile } from './review-file.js';
import type { Seen } from './seen.js';
import { fileAt, type ReviewPlace } from './use-review-place.js';
import './file-tree.css';

interface Props {
  place: ReviewPlace;
  seen: Seen;
  onChoose: (file: ReviewFile) => void;
}

export function FileTree({ place: { files, $top }, seen, onChoose }: Props) {
  const frame = useRef<HTMLElement>(null);
  const rows = useMemo(() => treeRows(files), [files]);
  const current = fileAt(files, useStore($top));
  return (
    <nav class="file-tree" ref={frame} aria-label="Changed files">
      <Virtualizer data={rows} scrollRef={frame} itemSize={30} bufferSize={200}>
        {(row: TreeRow) =>
          row.kind === 'folder' ? (
            <TreeFolder key={row.key} name={row.name} depth={row.depth} />
          ) : (
            <TreeFile
              key={row.key}
              file={row.file}
              name={row.name}
              depth={row.depth}
              isCurrent={row.file === current}
              isSeen={seen.isSeen(row.file)}
              onChoose={onChoose}
            />
          )
        }
      </Virtualizer>
    </nav>
  );
}

const TreeFolder = memo(({ name, depth }: { name: string; depth: number }) => (
  <div class="tree-folder" style={{ '--depth': depth }}>
    <Folder size={14} aria-hidden="true" />
    <span class="cut">{visible(name)}</span>
  </div>
));

interface FileProps {
  file: ReviewFile;
  name: string;
  depth: number;
  isCurrent: boolean;
  isSeen: boolean;
  onChoose: (file: ReviewFile) => void;
}

const TreeFile = memo(({ file, name, depth, isCurrent, isSeen, onChoose }: FileProps) => (
  <button
    type="button"
    class="tree-file"
    style={{ '--depth': depth }}
    aria-current={isCurrent ? 'true' : undefined}
    title={visible(file.path)}
    onClick={() => onChoose(file)}
  >
    <span class={`cut tree-name change-${file.change}`}>{visible(name)}</span>
    {isSeen && (
      <>
        <Check class="tree-seen" size={14} aria-hidden="true" />
        <span class="sr-only">seen</span>
      </>
    )}
    {file.lines && (
      <span class="tree-sum">
        <span class="added">+{file.lines.added}</span> <span class="removed">−{file.lines.removed}</span>
      </span>
    )}
  </button>
));
