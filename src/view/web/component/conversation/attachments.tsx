/** Pictures and other things beside a text. Only data that came with it is shown; nothing is loaded from elsewhere. */
import type { Attachment } from '../../../../event/index.js';
import { attachmentText } from '../../../../word/index.js';
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

function One({ attachment }: { attachment: Attachment }) {
  const { mimeType = '', data } = attachment;
  if (data !== undefined && PICTURE.test(mimeType)) {
    return <img src={`data:${mimeType};base64,${data}`} alt="From the agent" loading="lazy" />;
  }
  return <span class="chip">{visible(attachmentText(attachment))}</span>;
}
