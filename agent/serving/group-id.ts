import { readFileSync } from 'node:fs';
import { ConfigError } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';

/**
 * The number of a group of this host (group(5)); a number stands for itself.
 * @throws ConfigError where the host has no such group
 */
export function groupId(group: string): number {
  if (/^\d+$/.test(group)) return Number(group);
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${group}:`));
  const id = Number(line?.split(':')[2] ?? NaN);
  if (!Number.isInteger(id))
    throw new ConfigError(`socket-group: expected a group of this host, got ${formatValue(group)}`);
  return id;
}
