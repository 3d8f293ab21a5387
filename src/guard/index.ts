export { createColourless } from './colourless.js';
export { createGuard, type Guard, type GuardOptions, type Prepare } from './guard.js';
export { createRedactor, redactText } from './redact.js';
export type { Rule } from './rule.js';
export type { Redactor } from './scan.js';
