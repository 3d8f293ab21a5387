/** Code as coloured pieces of text, line by line; never as HTML. */
import { highlight } from '../text/highlight.js';

export interface Token {
  text: string;
  /** Of a class that a style sheet knows. */
  look?: string;
}

const LANGUAGES: Record<string, string> = {
  ...{ ts: 'typescript', tsx: 'typescript', mts: 'typescript', cts: 'typescript', js: 'javascript', jsx: 'javascript' },
  ...{ mjs: 'javascript', cjs: 'javascript', json: 'json', jsonc: 'json', css: 'css', md: 'markdown', py: 'python' },
  ...{
    rs: 'rust',
    go: 'go',
    java: 'java',
    sh: 'bash',
    bash: 'bash',
    zsh: 'bash',
    sql: 'sql',
    yml: 'yaml',
    yaml: 'yaml',
  },
  ...{ html: 'xml', xml: 'xml', svg: 'xml', vue: 'xml' },
};

/** Undefined when nothing is known of its language. */
function languageOf(path: string): string | undefined {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  return ending === undefined || !Object.hasOwn(LANGUAGES, ending) ? undefined : LANGUAGES[ending];
}

const prepared = new Set<string>();

/** A language is made ready with its first letter; true when that was to be done. */
export function prepareLanguage(path: string): boolean {
  const language = languageOf(path);
  if (language === undefined || prepared.has(language)) return false;
  prepared.add(language);
  highlight('a', language);
  return true;
}

/** Undefined when it stays plain. */
export function tokenLines(lines: readonly string[], path: string): Token[][] | undefined {
  const language = languageOf(path);
  const html = language && highlight(lines.join('\n'), language);
  return html ? tokensIn(html) : undefined;
}

/** The letters that are spelled out, by how their names begin. */
const SPELLED: Record<string, string> = { a: '&', l: '<', g: '>', q: '"', '#': "'" };

/** What the colouring writes: spans with classes, letters, and a few that are spelled out. */
function tokensIn(html: string): Token[][] {
  const lines: Token[][] = [[]];
  const looks: string[] = [];
  for (const [whole, open, close, text] of html.matchAll(/<span class="([\w -]*)">|(<\/span>)|([^<]+)/g)) {
    if (open !== undefined) looks.push(open.split(' ')[0] ?? '');
    else if (close) looks.pop();
    else {
      const plain = (text ?? whole).replace(/&(#|[a-z])[a-z\d]*;/g, (_, first: string) => SPELLED[first] ?? '');
      for (const [index, piece] of plain.split('\n').entries()) {
        if (index > 0) lines.push([]);
        const look = looks.at(-1);
        if (piece !== '') lines.at(-1)?.push({ text: piece, ...(look && { look }) });
      }
    }
  }
  return lines;
}
