/** The way back to the list, where the list is a page of its own. */
import { ChevronLeft } from 'lucide-preact';

export function BackLink() {
  return (
    <a class="icon-button back" href="/" aria-label="All sessions">
      <ChevronLeft size={20} aria-hidden="true" />
    </a>
  );
}
