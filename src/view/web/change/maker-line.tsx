/** Who made a part: the call, and who allowed it; a person or another program; or that nothing proves it. */
import { makerText } from '../../../attribution/index.js';
import type { FileMakers } from '../../../client/index.js';
import { counted } from '../../../word/index.js';
import { placePath, sessionPath } from '../state/route.js';
import { visible } from '../text/visible.js';

type Made = FileMakers['makers'][number];
type Maker = Made[number]['maker'];

interface Props {
  session: string;
  /** Undefined while nobody knows. */
  made: Made | undefined;
  /** The row in the conversation of a call of this session. */
  rowOf: (runId: string, toolId: string) => string | undefined;
}

export function MakerLine({ session, made, rowOf }: Props) {
  if (!made) return null;
  const [first, ...others] = made;
  if (!first) return <span class="maker maker-unknown">unknown: nothing that is kept proves who made it</span>;
  const { maker } = first;
  const text = visible(makerText(maker, session));
  const all = made.map(({ maker: one, lines }) => `${counted(lines, 'line')}: ${visible(makerText(one, session))}`);
  const href = linkOf(maker, session, rowOf);
  return (
    <span class={`maker maker-${maker.by}`} title={all.join('\n')}>
      {href === undefined ? (
        <span class="cut">{text}</span>
      ) : (
        <a class="cut" href={href}>
          {text}
        </a>
      )}
      {others.length > 0 && (
        <span class="maker-more">
          {`and ${others.length} more`}
          <span class="sr-only">{all.slice(1).join('; ')}</span>
        </span>
      )}
    </span>
  );
}

function linkOf(maker: Maker, session: string, rowOf: Props['rowOf']): string | undefined {
  if (maker.by !== 'call') return undefined;
  const { call } = maker;
  if (call.session !== session) return sessionPath(call.session);
  const row = rowOf(call.runId, call.toolId);
  return row === undefined ? undefined : placePath(session, { row });
}
