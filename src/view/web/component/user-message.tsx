/** Something that was said to the agent. */
import { type Message, values } from '../../../session/index.js';
import { Attachments } from './attachments.js';
import { LongText } from './long-text.js';

export function UserMessage({ message }: { message: Message }) {
  const text = [...values(message.blocks)].map((block) => block.text).join('\n');
  return (
    <div class="user-message" dir="auto">
      <span class="sr-only">You said: </span>
      <LongText text={text} />
      {message.attachments && <Attachments attachments={message.attachments} />}
    </div>
  );
}
