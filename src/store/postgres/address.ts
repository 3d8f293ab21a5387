/** The address of a database: what the driver needs of it, and what people may see. */
import { GlassboxError } from '../../event/index.js';

export interface Address {
  /** Without the password. */
  shown: string;
  /** Where the tables are. */
  schema: string;
  connectionString: string;
}

const SCHEMA = 'glassbox';

/** `postgres://user:password@host/database?schema=glassbox`, with whatever else the driver knows. */
export function parseAddress(location: string): Address {
  const url = URL.canParse(location) ? new URL(location) : undefined;
  if (!url?.hostname && !url?.searchParams.has('host')) {
    throw new GlassboxError(
      'invalid-request',
      'This is no address of a database. Write it as postgres://user@host/database; the password may stand in PGPASSWORD or in ~/.pgpass.',
    );
  }
  const schema = url.searchParams.get('schema') ?? SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) {
    throw new GlassboxError('invalid-request', 'The schema of a database has a name of small letters, digits and "_".');
  }
  url.searchParams.delete('schema');
  return { shown: withoutSecrets(url, schema), schema, connectionString: url.href };
}

/** What is not known to be harmless is left out. */
function withoutSecrets({ username, hostname, port, pathname }: URL, schema: string): string {
  const place = `${hostname}${port && `:${port}`}${pathname}`;
  return `postgres://${username && `${username}@`}${place}${schema === SCHEMA ? '' : `?schema=${schema}`}`;
}
