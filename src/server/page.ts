/** The built web page: read once, served from memory, so that no path of a request ever reaches the disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface Asset {
  body: Uint8Array<ArrayBuffer>;
  type: string;
  /** Names carry a hash of the content, so a browser may keep them for ever. */
  immutable: boolean;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/** By request path; empty when the page was not built. */
export function loadPage(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const file of filesIn(folder)) {
    const type = TYPES[extname(file)];
    if (type === undefined) continue;
    const body = new Uint8Array(readFileSync(join(folder, file)));
    assets.set(`/${file.replaceAll('\\', '/')}`, { body, type, immutable: /^assets[\\/]/.test(file) });
  }
  return assets;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch {
    return [];
  }
}
