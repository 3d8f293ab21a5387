/** The built web page: read once, served from memory, so that no path of a request ever reaches the disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

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
  '.png': 'image/png',
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

/** Pictures and fonts are small already. */
const PACKED = /^(?:text\/|application\/|image\/svg)/;
const LEAST_BYTES = 1000;

const packed = new WeakMap<Asset, Uint8Array<ArrayBuffer>>();

/** As small as a browser takes it; made when it is first asked for. Undefined where it is sent as it is. */
export function packedFor(asset: Asset, accepted: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (!/\bgzip\b/.test(accepted ?? '') || !PACKED.test(asset.type) || asset.body.length < LEAST_BYTES) return undefined;
  const before = packed.get(asset);
  if (before) return before;
  const body = new Uint8Array(gzipSync(asset.body, { level: 9 }));
  packed.set(asset, body);
  return body;
}
