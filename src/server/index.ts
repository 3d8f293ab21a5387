export { type KeepOptions, type KeptRun, keepRun } from './keep-run.js';
export { type GlassboxServer, type ServerOptions, startServer } from './server.js';
