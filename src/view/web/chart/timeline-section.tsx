/** The title of a conversation in the timeline: whose it is, and what it took. Sub-agents stand below who began them, and can be folded. */
import { ChevronRight } from 'lucide-preact';
import { entryAt, type SessionState, type ThreadShare, threadName } from '../../../session/index.js';
import { placePath } from '../state/route.js';
import { threadFacts } from '../text/thread-facts.js';
import { visible } from '../text/visible.js';
import type { Place, Section } from './lane.js';

/** With more sub-agents than this those are folded at first. */
const MOST_OPEN = 12;

/** In the order of a tree; what is below something folded is not there. */
export function placesOf(shares: readonly ThreadShare[], unfolded: ReadonlyMap<number, boolean>): Place[] {
  const below = new Map<number, number[]>();
  for (const { thread, parent } of shares) {
    if (parent !== undefined) below.set(parent, [...(below.get(parent) ?? []), thread]);
  }
  const places: Place[] = [];
  const open: [thread: number, depth: number][] = [[0, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [thread, depth] = next;
    const isFolded = !(unfolded.get(thread) ?? (thread === 0 || shares.length <= MOST_OPEN));
    places.push({ thread, depth, isFolded });
    if (isFolded && thread !== 0) continue;
    for (const child of (below.get(thread) ?? []).reverse()) open.push([child, depth + 1]);
  }
  return places;
}

interface Props {
  section: Section;
  state: SessionState;
  session: string;
  lane: number;
  onFold: () => void;
}

export function SectionHead({ section: { thread, depth, isFolded }, state, session, lane, onFold }: Props) {
  const name = visible(threadName(state, thread));
  const tool = entryAt(state.threads, thread)?.tool;
  const facts = thread === 0 ? '' : threadFacts(state, thread);
  return (
    <div class="section-head" style={{ '--lane': lane, '--depth': Math.min(depth, 6) }}>
      <button type="button" class="fold" aria-expanded={!isFolded} aria-label={`Time of ${name}`} onClick={onFold}>
        <ChevronRight class="chevron" size={14} aria-hidden="true" />
      </button>
      {tool === undefined ? (
        <span class="cut">{name}</span>
      ) : (
        <a class="cut" href={placePath(session, { row: `t${tool}` })}>
          {name}
        </a>
      )}
      {facts !== '' && <span class="faint cut section-facts">{facts}</span>}
    </div>
  );
}
