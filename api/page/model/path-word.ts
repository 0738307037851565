import { troublesOf } from '../../schema/v1/path-words.js';
import type { LargeState, OwnPath } from '../../schema/v1/nodes.js';

/** The state of a path in one or two words: a reachable one may be lossy, slow or both. */
export function pathWord(path: OwnPath): string {
  const troubles = troublesOf(path);
  return troubles.length > 0 ? troubles.join(', ') : path.state;
}

/** That large packets are lost on a path, with the size where it was found; undefined where they are not. */
export function largeWords(large: LargeState | undefined): string | undefined {
  if (large?.state !== 'lost') return undefined;
  const { limit } = large;
  return limit
    ? `packets above ${limit.bytes.toLocaleString('en-US')} bytes are lost`
    : 'large packets are lost';
}
