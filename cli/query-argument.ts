import { ApiError, isUnknownZone } from '../api/client/api-error.js';
import { UsageError } from './errors.js';

/** The flags whose values are sent as parameters. */
const flags = new Map([
  ['by', '--by'],
  ['zone', '--zone'],
  ['toZone', '--to-zone'],
]);

/**
 * Makes a wrong usage of what the agent says of the flags of a command: it has no such zone, nodes are not grouped
 * by such a label, or a value cannot be one.
 * @throws UsageError for such an answer, else the error itself
 */
export function explainQuery(error: unknown): never {
  const text = wrongArgument(error);
  if (text === undefined) throw error;
  throw new UsageError(text, { cause: error });
}

function wrongArgument(error: unknown): string | undefined {
  if (isUnknownZone(error)) return error.serverMessage;
  if (!(error instanceof ApiError) || error.statusCode !== 400) return undefined;
  // Other parameters are not what the user typed: an older agent refuses those that it does not know.
  const [, parameter = '', said = ''] = /^(\w+): (.*)$/s.exec(error.serverMessage ?? '') ?? [];
  const flag = flags.get(parameter);
  return flag === undefined ? undefined : `${flag}: ${said}`;
}
