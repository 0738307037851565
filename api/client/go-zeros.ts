/** JSON as it came, not validated yet. */
interface Loose {
  [field: string]: unknown;
}

const planes = ['host', 'health-endpoint'];

/**
 * A status as Go writes it leaves out empty texts and has null for an empty list, as a Cilium agent
 * does that has just started: these are put in, anything else is left as it is, for the schema.
 */
export function withZeros(body: unknown): unknown {
  if (!isObject(body) || !('nodes' in body)) return body;
  const nodes = body['nodes'] ?? [];
  return {
    ...body,
    local: withText(body['local'] ?? {}, 'name'),
    timestamp: body['timestamp'] ?? '',
    nodes: Array.isArray(nodes) ? nodes.map(nodeWithZeros) : nodes,
  };
}

function nodeWithZeros(node: unknown): unknown {
  if (!isObject(node)) return node;
  const whole: Loose = { ...node, name: node['name'] ?? '' };
  for (const plane of planes) if (node[plane]) whole[plane] = planeWithZeros(node[plane]);
  if (node['endpoint']) whole['endpoint'] = withText(node['endpoint'], 'ip');
  return whole;
}

function planeWithZeros(plane: unknown): unknown {
  if (!isObject(plane)) return plane;
  const { 'primary-address': primary, 'secondary-addresses': secondary } = plane;
  return {
    ...plane,
    ...(primary ? { 'primary-address': withText(primary, 'ip') } : {}),
    ...(Array.isArray(secondary) && {
      'secondary-addresses': secondary.map((path) => withText(path, 'ip')),
    }),
  };
}

function withText(value: unknown, field: string): unknown {
  return isObject(value) ? { ...value, [field]: value[field] ?? '' } : value;
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
