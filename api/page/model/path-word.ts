import { troublesOf } from '../../schema/v1/path-words.js';
import type { OwnPath } from '../../schema/v1/nodes.js';

/** The state of a path in one or two words: a reachable one may be lossy, slow or both. */
export function pathWord(path: OwnPath): string {
  const troubles = troublesOf(path);
  return troubles.length > 0 ? troubles.join(', ') : path.state;
}
