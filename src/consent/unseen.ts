/** Characters that take no room and disguise what somebody decides about: two names, addresses or commands that look alike. */

const UNSEEN =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065\\u2800\\u3164\\uffa0';
/** Beside what programs and addresses are made of: between letters of other scripts and in emoji they belong. */
const DISGUISE = new RegExp(`(?<=[!-~])[${UNSEEN}]|[${UNSEEN}](?=[!-~])|(?<=[${UNSEEN}])[${UNSEEN}]`, 'g');

/** The text with a mark for each of them. */
export function showUnseen(text: string): string {
  return text.replace(DISGUISE, '\ufffd');
}
