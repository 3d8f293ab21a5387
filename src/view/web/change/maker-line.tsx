/** Who made a part: the call, and who allowed it; a person or another program; or that nothing proves it. */
import { makerText } from '../../../attribution/index.js';
import type { FileMakers } from '../../../client/index.js';
import { counted } from '../../../word/index.js';
import { placePath, sessionPath } from '../state/route.js';
import { visible } from '../text/visible.js';
import './maker.css';

type Made = FileMakers['makers'][number];
type Maker = Made[number]['maker'];

interface Props {
  session: string;
  /** Undefined while nobody knows. */
  made: Made | undefined;
  /** The row in the conversation of a call of this session. */
  rowOf: (runId: string, toolId: string) => string | undefined;
}

/** More of them are counted. */
const MOST = 3;

export function MakerLine({ session, made, rowOf }: Props) {
  if (!made) return null;
  if (made.length === 0)
    return <span class="maker maker-unknown">unknown: nothing that is kept proves who made it</span>;
  return (
    <span class="makers">
      {made.slice(0, MOST).map(({ maker, lines }, index) => {
        const text = visible(makerText(maker, session));
        const href = linkOf(maker, session, rowOf);
        return (
          <span key={index} class={`maker maker-${maker.by}`} title={text}>
            {made.length > 1 && <span class="maker-lines">{counted(lines, 'line')}:</span>}
            {href === undefined ? (
              <span class="cut">{text}</span>
            ) : (
              <a class="cut" href={href}>
                {text}
              </a>
            )}
          </span>
        );
      })}
      {made.length > MOST && <span class="maker">and {made.length - MOST} more</span>}
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
