/** JSON as it came, not validated yet. */
interface Loose {
  [field: string]: unknown;
}

/**
 * A status as Go writes it leaves out empty texts and has null for an empty list, as a Cilium agent
 * does that has just started: these are put in, in place; anything else is left for the schema.
 */
export function withZeros(body: unknown): unknown {
  if (!isObject(body) || !('nodes' in body)) return body;
  body['local'] ??= {};
  body['timestamp'] ??= '';
  body['nodes'] ??= [];
  putText(body['local'], 'name');
  const { nodes } = body;
  if (Array.isArray(nodes)) for (const node of nodes) fillNode(node);
  return body;
}

function fillNode(node: unknown): void {
  putText(node, 'name');
  if (!isObject(node)) return;
  fillPlane(node['host']);
  fillPlane(node['health-endpoint']);
  putText(node['endpoint'], 'ip');
}

function fillPlane(plane: unknown): void {
  if (!isObject(plane)) return;
  putText(plane['primary-address'], 'ip');
  const secondary = plane['secondary-addresses'];
  if (Array.isArray(secondary)) for (const path of secondary) putText(path, 'ip');
}

function putText(value: unknown, field: string): void {
  if (isObject(value)) value[field] ??= '';
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
