/** Runs once before all tests: those that start `dist/cli.js` must never meet a stale bundle. */
import { bundleIfChanged } from '../../scripts/build.mjs';

export default async function setup(): Promise<void> {
  // Set only by who runs single tests again and again, and knows that they start nothing that is built.
  if (!process.env.GLASSBOX_TESTS_NO_BUNDLE) await bundleIfChanged();
}
