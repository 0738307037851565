import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { readKeyFile, watchKeyFile } from '../exchange/messages/key-file.js';
import { MeshKeys } from '../exchange/messages/mesh-keys.js';
import type { Problems } from '../platform/problems.js';
import type { Stops } from './stops.js';

export interface CreateMeshKeysOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly problems: Problems;
}

/**
 * Reads the keys of the mesh, where there are any, and follows the file.
 * @throws ConfigError where there is to be a key and its file is not good
 */
export function createMeshKeys(options: CreateMeshKeysOptions, stops: Stops): MeshKeys {
  const { config, logger, problems } = options;
  const path = config.mesh?.keyFile;
  if (path === undefined) return new MeshKeys();
  const keys = new MeshKeys(readKeyFile(path));
  const stop = watchKeyFile({
    path,
    onKeys: (read) => keys.replace(read),
    onProblem(reason) {
      if (reason === undefined) problems.clear('mesh-key-file');
      else if (problems.set('mesh-key-file', `the last good mesh key stays in use: ${reason}`)) {
        logger.warn({ reason }, 'the mesh key file cannot be read; the last good key stays in use');
      }
    },
  });
  stops.add(stop);
  return keys;
}
