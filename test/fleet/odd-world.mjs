/** Loaded into hubs and workers before anything else: their clock goes wrong by FLEET_SKEW_MS, and while the file FLEET_FULL is there their disk is full. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const skewMs = Number(process.env.FLEET_SKEW_MS ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + skewMs;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now = now;
};

const { existsSync, writeFileSync } = fs;
fs.writeFileSync = (...given) => {
  if (typeof given[0] === 'number' && existsSync(process.env.FLEET_FULL ?? '')) {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }
  return writeFileSync(...given);
};
syncBuiltinESMExports();
