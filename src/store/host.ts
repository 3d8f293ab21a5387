/**
 * Which machine this is, for whoever asks whether a process of it lives: the same for all who share its process ids, and for nobody
 * else, also where machines were copied from one image and containers share a disk.
 */
import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Made once in a start of the system: by Linux itself, elsewhere by the first who asks. With the name that people know it by. */
export function hostId(): string {
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const processes = read(() => readlinkSync('/proc/self/ns/pid'));
  const id = boot && processes ? digest(`${boot} ${processes}`) : drawnId(tmpdir());
  return `${hostname()} ${id}`;
}

/**
 * Drawn by whoever is first and kept in a folder of this machine and user. Where nothing can be kept each process is a host of its
 * own: then the dead are noticed by their silence, and nobody is buried alive.
 */
export function drawnId(folder: string): string {
  const file = join(folder, `glassbox-host-${read(() => userInfo().username) ?? ''}`);
  const drawn = randomUUID();
  const draft = `${file}-${drawn}`;
  try {
    writeFileSync(draft, drawn, { mode: 0o600, flag: 'wx' });
    // A link is made by one alone, and never seen half written.
    linkSync(draft, file);
  } catch {
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = read(() => readFileSync(file, 'utf8'));
  return kept && /^[\da-f-]{36}$/.test(kept) ? digest(kept) : digest(drawn);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function read(look: () => string): string | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
