/**
 * The page's one document. Its scripts and styles are named with their digests, so that nothing between the server and the page can
 * put others in their place, and a window that loads it finds in it what makes the page ours.
 */
import { createHash } from 'node:crypto';
import type { Asset } from './page.js';
import { contentPolicy } from './request-check.js';

export interface DocumentSecrets {
  boot: string;
  ticket: string;
}

export interface PageDocument {
  readonly policy: string;
  html(welcome?: DocumentSecrets): string;
}

/** Absent when the page was not built. */
export function createDocument(page: ReadonlyMap<string, Asset>): PageDocument | undefined {
  const index = page.get('/index.html');
  if (!index) return undefined;
  const named = (type: string) => [...page].filter(([name]) => name.endsWith(type));
  const digests = new Map(
    [...named('.js'), ...named('.css')].map(([name, { body }]) => [name, `sha384-${hash('sha384', body)}`]),
  );
  const scripts = Object.fromEntries([...digests].filter(([name]) => name.endsWith('.js')));
  // For what scripts import; the elements of the document say it themselves.
  const importMap = JSON.stringify({ integrity: scripts });
  const written = new TextDecoder().decode(index.body).replace(/(?:src|href)="([^"]+)"/g, (attribute, name: string) => {
    const digest = digests.get(name);
    return digest === undefined ? attribute : `${attribute} integrity="${digest}"`;
  });
  const [before = '', after = ''] = written.split('<head>');
  return {
    policy: contentPolicy([hash('sha256', importMap)]),
    html(welcome) {
      const meta = welcome ? `<meta name="welcome" content="${welcome.boot} ${welcome.ticket}" />` : '';
      return `${before}<head>${meta}<script type="importmap">${importMap}</script>${after}`;
    },
  };
}

function hash(algorithm: string, content: string | Uint8Array): string {
  return createHash(algorithm).update(content).digest('base64');
}
