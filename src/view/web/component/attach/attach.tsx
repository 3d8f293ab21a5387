/** Files beside the words: chosen with a button, pasted or dropped, shown small, taken away again. */
import { FileText, Paperclip, X } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { size } from '../../../../word/index.js';
import type { Attachments } from '../../state/use-attachments.js';
import { visible } from '../../text/visible.js';

export function AttachButton({ attachments }: { attachments: Attachments }) {
  const chooser = useRef<HTMLInputElement>(null);
  const { types, isBusy } = attachments;
  if (types.length === 0) return null;
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={nameOf(types)}
        title={nameOf(types)}
        aria-busy={isBusy}
        onClick={() => chooser.current?.click()}
      >
        <Paperclip size={16} aria-hidden="true" />
      </button>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept={types.join(',')}
        aria-label="Files to attach"
        onChange={(event) => {
          attachments.add(event.currentTarget.files ?? []);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

function nameOf(types: readonly string[]): string {
  return types.includes('application/pdf') ? 'Attach pictures or PDFs' : 'Attach pictures';
}

export function AttachedFiles({ attachments: { files, problem, remove } }: { attachments: Attachments }) {
  return (
    <>
      {files.length > 0 && (
        <ul class="attached" aria-label="Attached">
          {files.map(({ id, name, bytes, picture }) => (
            <li key={id}>
              {picture === undefined ? <FileText size={20} aria-hidden="true" /> : <img src={picture} alt="" />}
              <span class="attached-name cut" title={visible(name)}>
                {visible(name)}
              </span>
              <span class="faint attached-size">{size(bytes)}</span>
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${visible(name)}`}
                onClick={() => remove(id)}
              >
                <X size={14} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Handlers for the form around a field: files that are dropped on it or pasted into it are attached; words stay words. */
export function useDropTarget({ types, add }: Attachments) {
  const [isOver, setOver] = useState(false);
  if (types.length === 0) return { isOver: false, handlers: {} };
  const filesIn = (data: DataTransfer | null): File[] => [...(data?.files ?? [])];
  const brings = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!brings(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave(event: DragEvent) {
        if (!(event.currentTarget as Element).contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop(event: DragEvent) {
        setOver(false);
        if (!brings(event)) return;
        event.preventDefault();
        add(filesIn(event.dataTransfer));
      },
      onPaste(event: ClipboardEvent) {
        const files = filesIn(event.clipboardData);
        if (files.length === 0) return;
        event.preventDefault();
        add(files);
      },
    },
  };
}
