/** `glassbox demo`: what it looks like, without an agent. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type FormatFlag, formatFlag } from '../../flag/format-flag.js';
import { type SpeedFlag, speedFlag } from '../../flag/speed-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../../flag/view-flag.js';

export type DemoFlags = ViewFlags & FormatFlag & SpeedFlag;

export const demo = buildCommand<DemoFlags, [], Context>({
  docs: {
    brief: 'Watch a recorded run, without an account or a network',
    fullDescription: `Starts a scripted agent as a process of its own, exactly as a real one is started, and shows what it does. It plays what
Claude Code printed when it fixed a small project. On a terminal it asks you once before it changes a file; if nobody answers, it goes on by itself.

  glassbox demo
  glassbox demo --verbose --thinking`,
  },
  parameters: { flags: { ...viewFlags, ...formatFlag, ...speedFlag }, aliases: viewAliases },
  loader: async () => (await import('./run-demo.js')).runDemo,
});
