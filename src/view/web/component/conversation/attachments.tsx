/** Pictures and other things beside a text. Only data that came with it is shown; nothing is loaded from elsewhere. */
import type { Attachment } from '../../../../event/index.js';
import { visible } from '../../text/visible.js';

const PICTURE = /^image\/(png|jpe?g|gif|webp)$/;

export function Attachments({ attachments }: { attachments: readonly Attachment[] }) {
  return (
    <div class="attachments">
      {attachments.map((attachment, index) => (
        <One key={index} attachment={attachment} />
      ))}
    </div>
  );
}

function One({ attachment: { kind, mimeType = '', data, uri, bytes } }: { attachment: Attachment }) {
  if (data !== undefined && PICTURE.test(mimeType)) {
    return <img src={`data:${mimeType};base64,${data}`} alt="From the agent" loading="lazy" />;
  }
  const size = bytes === undefined ? '' : `, ${bytes.toLocaleString()} bytes`;
  return <span class="chip">{visible(`${mimeType || kind}${size}${uri ? ` · ${uri}` : ''}`)}</span>;
}
