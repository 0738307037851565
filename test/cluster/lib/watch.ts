import { setTimeout as delay } from 'node:timers/promises';
import { findingsOf } from './agents.js';
import type { ClusterNode } from './place.js';

export interface Watched {
  /** Each finding that any agent said, once, as its kind and its sentence. */
  readonly said: readonly string[];
  /** How many answers were looked at: an agent that is being replaced gives none. */
  readonly looks: number;
}

/** Looks at what all agents say, again and again, while something goes on. */
export async function watchWhile(
  nodes: readonly ClusterNode[],
  action: () => Promise<void>,
): Promise<Watched> {
  const said = new Set<string>();
  let looks = 0;
  const end = new AbortController();
  const look = async (node: ClusterNode) => {
    const findings = await findingsOf(node).catch(() => undefined);
    if (findings === undefined) return;
    looks++;
    for (const { kind, text } of findings) said.add(`${kind}: ${text}`);
  };
  const watching = (async () => {
    while (!end.signal.aborted) {
      await Promise.all(nodes.map(look));
      await delay(500);
    }
  })();
  try {
    await action();
  } finally {
    end.abort();
    await watching;
  }
  return { said: [...said], looks };
}
