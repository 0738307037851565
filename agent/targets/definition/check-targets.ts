import type { Target } from '../../model/target.js';
import { ConfigError, messageOf } from '../../platform/errors.js';
import { readCaFile } from '../../platform/ca-file.js';
import { readHeadersFile } from '../../platform/headers-file.js';
import { readTargets } from './read-targets.js';
import type { TargetsConfig } from './targets-config.js';

/**
 * Reads all targets, and the files that those of the node name; an endpoint may have others.
 * @throws ConfigError where one of them cannot be read or is not valid
 */
export async function checkTargets(config: TargetsConfig): Promise<readonly Target[]> {
  const targets = await readTargets(config);
  for (const { name, probe, from } of targets) {
    if (probe.kind !== 'http' || !from.includes('host')) continue;
    const { headersFile, caFile } = probe.http;
    check(name, 'headersFile', headersFile, readHeadersFile);
    check(name, 'ca', caFile, readCaFile);
  }
  return targets;
}

function check(
  name: string,
  key: string,
  path: string | undefined,
  read: (path: string) => unknown,
): void {
  try {
    if (path !== undefined) read(path);
  } catch (error) {
    throw new ConfigError(`target ${name}: ${key}: ${path ?? ''}: ${messageOf(error)}`);
  }
}
