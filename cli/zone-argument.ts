import { isUnknownLabel, isUnknownZone } from '../api/client/api-error.js';
import { UsageError } from './errors.js';

/**
 * Makes a wrong usage of the agent's answer that it has no such zone.
 * @throws UsageError for a zone that is not known, else the error itself
 */
export function explainZone(error: unknown): never {
  if (!isUnknownZone(error)) throw error;
  throw new UsageError(error.serverMessage ?? error.message, { cause: error });
}

/**
 * The same for a label that nodes are not grouped by.
 * @throws UsageError for a label that is not known, else the error itself
 */
export function explainLabel(error: unknown): never {
  if (!isUnknownLabel(error)) throw error;
  const { serverMessage, message } = error;
  throw new UsageError(
    `--by: expected zone, node, or a label that nodes are grouped by: ${serverMessage ?? message}`,
    {
      cause: error,
    },
  );
}
