/** What a server refused, as the caller hears it. */
import type { ApiError } from './api.js';

/** A refused request. `status` is the HTTP status, `code` does not change between versions. */
export class ClientError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ClientError';
    this.status = status;
    this.code = code;
  }
}

export async function refusalIn(response: Response): Promise<ClientError> {
  const body = (await response.json().catch(() => undefined)) as Partial<ApiError> | undefined;
  const { code = 'failed', message = `The server answered ${response.status}.` } = body?.error ?? {};
  return new ClientError(response.status, code, message);
}
