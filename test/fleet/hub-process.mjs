/** A hub as a process of its own, over the store that it is told, with times that are injected. */
import { startServer } from '../../dist/server.js';
import { openStore } from '../../dist/store.js';

const { FLEET_STORE, FLEET_PORT, FLEET_TOKEN, FLEET_LEASE_MS, FLEET_NAMES = '' } = process.env;
const store = await openStore(FLEET_STORE);
const server = await startServer({
  store,
  port: Number(FLEET_PORT),
  token: FLEET_TOKEN,
  projects: [],
  allowHosts: FLEET_NAMES.split(' '),
  leaseMs: Number(FLEET_LEASE_MS),
  pollMs: 200,
  log: (text) => console.error(text),
});
process.once('SIGTERM', () => void server.close().then(() => store.close()));
console.log('ready');
