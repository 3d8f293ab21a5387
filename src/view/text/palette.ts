/** Colours of the text view, injected as yes or no: nothing here asks the environment. */

export type Style =
  | 'prefix'
  | 'tool'
  | 'text'
  | 'error'
  | 'result'
  | 'notice'
  | 'removed'
  | 'quiet'
  | 'heading'
  | 'plain';

const CODES: Record<Style, readonly [open: string, close: string]> = {
  prefix: ['\x1b[36m', '\x1b[39m'],
  tool: ['\x1b[33m', '\x1b[39m'],
  text: ['\x1b[37m', '\x1b[39m'],
  error: ['\x1b[1;31m', '\x1b[22;39m'],
  result: ['\x1b[32m', '\x1b[39m'],
  notice: ['\x1b[1;33m', '\x1b[22;39m'],
  removed: ['\x1b[31m', '\x1b[39m'],
  quiet: ['\x1b[2m', '\x1b[22m'],
  heading: ['\x1b[1m', '\x1b[22m'],
  plain: ['', ''],
};

export type Paint = (style: Style, text: string) => string;

/** Without colour no escape code is printed at all. */
export function createPaint(color: boolean): Paint {
  return (style, text) => {
    const [open, close] = CODES[style];
    return color && text !== '' && open !== '' ? `${open}${text}${close}` : text;
  };
}
