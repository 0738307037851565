import type { AgentClient } from './agent-client.js';
import type { NodeEntry, NodePage } from '../../schema/v1/nodes.js';

const pageSize = 1000;

/** The nodes that a query picks, as many as there are, page by page. */
export async function allNodes(
  client: AgentClient,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<NodeEntry[]> {
  const nodes: NodeEntry[] = [];
  let cursor: string | undefined;
  do {
    const parameters = new URLSearchParams({
      ...query,
      limit: String(pageSize),
      ...(cursor !== undefined && { cursor }),
    });
    const body: NodePage = await client.get<NodePage>(`/v1/nodes?${parameters}`, signal);
    nodes.push(...body.nodes);
    cursor = body.nodes.length > 0 ? body.nextCursor : undefined;
  } while (cursor !== undefined);
  return nodes;
}
