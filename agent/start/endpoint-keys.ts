import { readKeyFile, watchKeyFile } from '../exchange/messages/key-file.js';
import { MeshKeys } from '../exchange/messages/mesh-keys.js';

/** Writes one line to the log. */
export type EndpointLog = (facts: object, message: string) => void;

/**
 * The keys of the mesh as an endpoint has them, and how to stop following their file.
 * @throws ConfigError where the file is not good
 */
export function openEndpointKeys(
  path: string | undefined,
  warn: EndpointLog,
): [MeshKeys, () => void] {
  if (path === undefined) return [new MeshKeys(), () => undefined];
  const keys = new MeshKeys(readKeyFile(path));
  let logged: string | undefined;
  const stop = watchKeyFile({
    path,
    onKeys: (read) => keys.replace(read),
    onProblem(reason) {
      if (reason !== undefined && reason !== logged) {
        warn({ reason }, 'the mesh key file cannot be read; the last good key stays in use');
      }
      logged = reason;
    },
  });
  return [keys, stop];
}
