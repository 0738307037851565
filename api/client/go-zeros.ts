/** JSON as it came, not validated yet. */
interface JsonObject {
  [field: string]: unknown;
}

/**
 * Fills in what Go leaves out of a status, in place. A Cilium agent that has just started leaves
 * out empty texts and sends null for an empty list. The schema checks everything else.
 */
export function fillGoZeroValues(body: unknown): unknown {
  if (!isObject(body) || !('nodes' in body)) return body;
  body['local'] ??= {};
  body['timestamp'] ??= '';
  body['nodes'] ??= [];
  fillText(body['local'], 'name');
  const { nodes } = body;
  if (Array.isArray(nodes)) for (const node of nodes) fillNode(node);
  return body;
}

function fillNode(node: unknown): void {
  fillText(node, 'name');
  if (!isObject(node)) return;
  fillPlane(node['host']);
  fillPlane(node['health-endpoint']);
  fillText(node['endpoint'], 'ip');
}

function fillPlane(plane: unknown): void {
  if (!isObject(plane)) return;
  fillText(plane['primary-address'], 'ip');
  const secondary = plane['secondary-addresses'];
  if (Array.isArray(secondary)) for (const path of secondary) fillText(path, 'ip');
}

function fillText(value: unknown, field: string): void {
  if (isObject(value)) value[field] ??= '';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
