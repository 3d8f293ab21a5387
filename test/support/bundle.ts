/** Runs once before all tests: those that start `dist/cli.js` must never meet a stale bundle. */
import { bundleIfChanged } from '../../scripts/build.mjs';

export default async function setup(): Promise<void> {
  await bundleIfChanged();
}
