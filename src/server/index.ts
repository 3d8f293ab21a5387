export type { PresenceSource } from './presence-source.js';
export { type GlassboxServer, type ServerOptions, startServer } from './server.js';
