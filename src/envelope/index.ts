/** The door of the universal API: any agent as bounded envelopes and a completion. */
export type { Backend, BackendConfig, EnvelopeRequest, EnvelopeRun } from './backend.js';
export { createBackend } from './backend.js';
export { capabilityIds } from './capability.js';
export type {
  Dropped,
  Envelope,
  EnvelopeCompletion,
  EnvelopeError,
  EnvelopeKind,
  SessionFacet,
  ToolFacet,
} from './envelope.js';
export type { Extensions } from './extension.js';
export type { Gateway } from './gateway.js';
export { createGateway } from './gateway.js';
export type { Projection, ProjectionOptions } from './project.js';
export { createProjection } from './project.js';
