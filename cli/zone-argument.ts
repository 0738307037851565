import { isUnknownZone } from '../api/client/api-error.js';
import { UsageError } from './errors.js';

/**
 * Makes a wrong usage of the agent's answer that it has no such zone.
 * @throws UsageError for a zone that is not known, else the error itself
 */
export function explainZone(error: unknown): never {
  if (!isUnknownZone(error)) throw error;
  throw new UsageError(error.serverMessage ?? error.message, { cause: error });
}
