/** What `?` opens: the keys, over the page. */
import { useEffect, useRef } from 'preact/hooks';
import { KeyList } from './key-list.js';

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="key-help" aria-labelledby="key-title" onClose={onClose}>
      <h2 id="key-title">Keys</h2>
      <KeyList />
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
