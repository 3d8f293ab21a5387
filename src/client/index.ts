export type * from './api.js';
export type { Client, ClientOptions, StreamOptions } from './client.js';
export { ClientError, createClient } from './client.js';
