import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../platform/errors.js';
import { assignUniqueAddresses } from '../assign-unique-addresses.js';
import { withDeadlines } from '../deadline.js';
import { EmptyListGuard } from '../empty-list-guard.js';
import type { Node } from '../../model/node.js';
import type { NodeSource } from '../node-source.js';
import type { ReportSourceState } from '../source-state.js';
import { askNodes } from './ask-nodes.js';
import { readNodeChanges } from './node-changes.js';

/** Whoever asks with it gets the whole list. */
const unknownClient = '0';

export interface CiliumSourceOptions {
  readonly socketPath: string;
  /** The cluster of names that have none. */
  readonly clusterName: string;
  readonly report: ReportSourceState;
  /** Milliseconds from one answer to the next question. */
  readonly pollMs?: number;
  readonly answerMs?: number;
  readonly emptyGraceMs?: number;
}

/**
 * The nodes that a Cilium agent knows, polled. After the first answer it tells only what changed.
 * It waits for the agent as long as needed and keeps the last list.
 */
export function createCiliumSource(options: CiliumSourceOptions): NodeSource {
  const { socketPath, clusterName, report } = options;
  const { pollMs = 5000, answerMs = 10_000, emptyGraceMs = 60_000 } = options;
  const source = `Cilium agent on ${socketPath}`;
  const waitsFor = `nodes of the ${source}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const grace = new EmptyListGuard<Node>(emptyGraceMs);
  let known = new Map<string, Node>();
  let clientId = unknownClient;
  let emitted: string | undefined;
  let listAt: number | undefined;
  let since: number | undefined = Date.now();

  async function ask(onNodes: (nodes: readonly Node[]) => void): Promise<void> {
    const limits = { firstMs: answerMs, silenceMs: answerMs, totalMs: answerMs };
    const text = await withDeadlines(signal, limits, (inner) =>
      askNodes(socketPath, clientId, inner),
    );
    const changes = readNodeChanges(text, clusterName);
    // A different id: the agent did not know this client, so this is the whole list.
    const next = changes.clientId === clientId ? new Map(known) : new Map<string, Node>();
    for (const name of changes.removed) next.delete(name);
    for (const node of changes.added) next.set(node.name, node);
    [known, clientId, listAt] = [next, changes.clientId, Date.now()];
    const nodes = assignUniqueAddresses(
      [...grace.accept(known, performance.now()).values()].sort(byName),
    );
    const fingerprint = JSON.stringify(nodes);
    if (fingerprint === emitted) return;
    emitted = fingerprint;
    onNodes(nodes);
  }

  async function poll(onNodes: (nodes: readonly Node[]) => void): Promise<void> {
    while (!signal.aborted) {
      try {
        await ask(onNodes);
        since = undefined;
        report({ source, waitsFor, since, lastError: undefined, listAt });
      } catch (error) {
        if (stopping.signal.aborted) return;
        // What it sent and we did not receive it would not send again.
        clientId = unknownClient;
        since ??= Date.now();
        report({ source, waitsFor, since, lastError: messageOf(error), listAt });
      }
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start(onNodes) {
      report({ source, waitsFor, since, lastError: undefined, listAt });
      void poll(onNodes);
      return Promise.resolve();
    },
    stop: () => stopping.abort(),
  };
}

function byName(a: Node, b: Node): number {
  return a.name < b.name ? -1 : 1;
}
