/**
 * The random examples of a commit are always the same: what was red is red again. `GLASSBOX_TEST_SEED` tries others.
 * What fast-check finds, it prints with the seed; keep it in the `examples` of its property.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.GLASSBOX_TEST_SEED ?? 0) });
