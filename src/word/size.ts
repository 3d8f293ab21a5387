/** `1 KB`, `950 KB`, `1.4 MB`, `2.0 GB`: by thousands, as sizes are written for `--max-size`. */
export function size(bytes: number): string {
  if (bytes < 999_500) return `${Math.ceil(bytes / 1000)} KB`;
  return bytes < 999_950_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
