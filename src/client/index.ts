export type * from './api.js';
export type { Client, ClientOptions, StreamOptions } from './client.js';
export { createClient } from './client.js';
export { ClientError } from './client-error.js';
