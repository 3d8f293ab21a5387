/** Colours for code, loaded when the first code is shown. The result is HTML and must go through `SafeHtml`. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const LANGUAGES = { bash, css, diff, go, java, javascript, json, markdown, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Longer code stays plain: colouring it would hold up the page. */
const MOST_CHARACTERS = 30_000;

/** Languages look from every place to the end of its line, or of its gap, and some of them again from each place there: a second for 6,000 letters. */
const MOST_IN_LINE = 200;
const LONG_GAP = /\s{200}/;

/** Undefined when the language is not known here, or the code is none that somebody wrote. */
export function highlight(code: string, language: string): string | undefined {
  if (code.length > MOST_CHARACTERS || !hljs.getLanguage(language) || isWide(code)) return undefined;
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

function isWide(code: string): boolean {
  return code.split('\n').some((line) => line.length > MOST_IN_LINE) || LONG_GAP.test(code);
}
