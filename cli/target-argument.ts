import { InvalidArgumentError } from 'commander';
import { isUnknownTarget } from '../api/client/api-error.js';
import { UsageError } from './errors.js';
import { canBeInUrl } from './node-argument.js';

const maxTargetName = 63;

/**
 * Checks a name before an agent is asked, because a URL without a name asks for something else.
 * @throws InvalidArgumentError that says what was expected
 */
export function readTargetName(name: string): string {
  if (!canBeInUrl(name)) throw new InvalidArgumentError('Expected the name of a target.');
  if (name.length > maxTargetName) {
    throw new InvalidArgumentError(`Expected at most ${maxTargetName} characters.`);
  }
  return name;
}

/** Turns the agent's error for an unknown target into a usage error. */
export function explainTarget(error: unknown): never {
  if (!isUnknownTarget(error)) throw error;
  throw new UsageError(`${error.serverMessage ?? ''} (meshprobe targets lists them)`);
}
