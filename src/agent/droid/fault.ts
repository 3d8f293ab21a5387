/** What people can do about failures of Droid. */
import type { Hints } from '../fault.js';

export const HINTS: Hints = {
  auth: 'Run `droid` once and sign in, or set FACTORY_API_KEY.',
  billing: 'Check the credits of the account.',
};
