export { createGuard, type Guard, type GuardOptions } from './guard.js';
export { redactText } from './redact.js';
export type { Rule } from './rules.js';
