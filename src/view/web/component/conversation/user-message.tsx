/** Something that was said to the agent by a person, or by the agent to one of its own. */
import { type Message, values } from '../../../../session/index.js';
import { LongText } from '../part/long-text.js';
import { Attachments } from './attachments.js';

export function UserMessage({ message, isFromAgent }: { message: Message; isFromAgent: boolean }) {
  const text = [...values(message.blocks)].map((block) => block.text).join('\n');
  return (
    <div class={isFromAgent ? 'agent-message' : 'user-message'} dir="auto">
      {isFromAgent ? <p class="quiet-line">The agent to its sub-agent</p> : <span class="sr-only">You said: </span>}
      <LongText text={text} />
      {message.attachments && <Attachments attachments={message.attachments} />}
    </div>
  );
}
