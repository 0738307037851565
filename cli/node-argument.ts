import { Argument, InvalidArgumentError } from 'commander';
import { maxNameLength } from '../api/schema/v1/name-length.js';

/** The argument of a command about one node: `<node>`, or `[node]` if it may be left out. */
export function nodeArgument(form: '<node>' | '[node]', description: string): Argument {
  return new Argument(form, description).argParser(readNodeName);
}

/**
 * Checks a name before an agent is asked, because a URL without a name asks for something else.
 * @throws InvalidArgumentError that says what was expected
 */
export function readNodeName(name: string): string {
  if (!canBeInUrl(name)) throw new InvalidArgumentError('Expected NAME or CLUSTER/NAME.');
  if (name.length > maxNameLength) {
    throw new InvalidArgumentError(`Expected at most ${maxNameLength} characters.`);
  }
  return name;
}

/** Whether a URL keeps a name as the last part of its path: `.` and `..` are steps in it. */
export function canBeInUrl(name: string): boolean {
  return !['', '.', '..'].includes(name.trim());
}

/**
 * The full name that an agent understands by a name: a name without a cluster is of the agent's
 * own one.
 * @param local the full name of the agent's node
 */
export function fullName(name: string, local: string): string {
  const slash = local.indexOf('/');
  return name.includes('/') || slash < 0 ? name : `${local.slice(0, slash)}/${name}`;
}
