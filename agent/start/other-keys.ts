import type { Logger } from 'pino';
import type { MeshKeys } from '../exchange/messages/mesh-keys.js';
import type { Problems } from '../platform/problems.js';

/** How long a peer is named after the last message that showed its other key. */
const shownMs = 300_000;
const mostNamed = 4;

/**
 * Makes one problem of all peers with another key than this agent: else only a count tells why their rows never come.
 * @returns takes each peer of which a message came, and whether its key fits
 */
export function createOtherKeyReporter(
  problems: Pick<Problems, 'setFor' | 'clear'>,
  logger: Pick<Logger, 'warn'>,
  keys: Pick<MeshKeys, 'isKeyed'>,
  nowMs: () => number,
): (peer: string, fits: boolean) => void {
  const untilMs = new Map<string, number>();
  return (peer, fits) => {
    if (fits && !untilMs.delete(peer)) return;
    if (!fits) untilMs.set(peer, nowMs() + shownMs);
    for (const [name, endMs] of untilMs) if (endMs <= nowMs()) untilMs.delete(name);
    const lastMs = Math.max(...untilMs.values());
    if (untilMs.size === 0) problems.clear('mesh-key');
    else if (problems.setFor('mesh-key', describe([...untilMs.keys()], keys), lastMs - nowMs()))
      logger.warn({ peer }, 'a peer has another mesh key');
  };
}

function describe(peers: readonly string[], { isKeyed }: Pick<MeshKeys, 'isKeyed'>): string {
  const named = peers.slice(0, mostNamed).join(', ');
  const names = peers.length > mostNamed ? `${named} and ${peers.length - mostNamed} more` : named;
  const [has, they] = peers.length === 1 ? ['has', 'it believes'] : ['have', 'they believe'];
  return isKeyed
    ? `${names} ${has} another mesh key, or none: neither side believes what the other one tells (--mesh-key-file, the same on all nodes)`
    : `${names} ${has} a mesh key and this agent has none: ${they} nothing that it tells (--mesh-key-file, the same on all nodes)`;
}
