/** What the agent thought, folded away until somebody wants to read it. */
import { useStore } from '@nanostores/preact';
import { ChevronRight } from 'lucide-preact';
import type { Block } from '../../../../session/index.js';
import { duration } from '../../../../word/index.js';
import { $folds, toggleFold } from '../../state/fold.js';
import { Markdown } from '../part/markdown.js';

export function Thinking({ rowKey, block }: { rowKey: string; block: Block }) {
  const isOpen = useStore($folds, { keys: [rowKey] })[rowKey] === true;
  const time = block.durationMs ? ` for ${duration(block.durationMs)}` : '';
  const word = block.complete ? `Thought${time}` : 'Thinking…';
  if (block.text === '' || block.redacted) return <p class="quiet-line">{word}</p>;
  return (
    <div class="thinking">
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => toggleFold(rowKey, isOpen)}>
        <ChevronRight class="chevron" size={14} aria-hidden="true" />
        {word}
      </button>
      {isOpen && <Markdown text={block.text} isComplete={block.complete} />}
    </div>
  );
}
