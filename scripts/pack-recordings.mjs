// @ts-check
/** The recordings of this repository in one small file, so that an installed glassbox can score readers against them. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { root } from './process.mjs';

const folder = 'test/recordings';

/** Paths of the streams, in the repository. */
export function recordingFiles() {
  const kinds = readdirSync(new URL(folder, root)).sort();
  return kinds.flatMap((kind) =>
    readdirSync(new URL(`${folder}/${kind}`, root))
      .sort()
      .map((name) => `${folder}/${kind}/${name}/stdout.jsonl`),
  );
}

/** A line of JSON for each: a text of bytes, because not every stream is good UTF-8. */
export function packRecordings() {
  const lines = recordingFiles().map((path) => {
    const name = path.slice(`${folder}/`.length, -'/stdout.jsonl'.length);
    return `${JSON.stringify({ name, stdout: readFileSync(new URL(path, root), 'latin1') })}\n`;
  });
  return gzipSync(lines.join(''), { level: 9 });
}
