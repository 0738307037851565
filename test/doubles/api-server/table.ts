/** How a client asks for a Table. */
export const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** A Table of a row, as far as it is used. */
export interface RowTable {
  readonly rows: readonly { readonly cells: readonly string[]; readonly object: null }[];
  readonly [more: string]: unknown;
}

const columns = {
  nodes: ['Name', 'Status', 'Roles', 'Age', 'Version', 'Internal-IP', 'External-IP'],
  pods: ['Name', 'Ready', 'Status', 'Restarts', 'Age', 'IP', 'Node', 'Nominated Node'],
};

interface PodObject {
  readonly metadata?: {
    readonly name?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string; readonly podIP?: string };
}

interface NodeObject {
  readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/**
 * A node or a pod in a Table with `includeObject=None`, as an API server of 1.34 prints it in a watch. Only the
 * first event says what the columns are.
 */
export function asTable(
  object: object,
  isFirst: boolean,
  resource: keyof typeof columns = 'nodes',
): RowTable {
  const cells = resource === 'nodes' ? cellsOfNode(object) : cellsOfPod(object);
  const { metadata } = object as NodeObject;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: metadata?.resourceVersion },
    columnDefinitions: isFirst ? columns[resource].map((name) => ({ name, type: 'string' })) : null,
    rows: [{ cells, object: null }],
  };
}

const age = () => `${Math.round(performance.now() / 1000)}s`;

function cellsOfPod(object: object): string[] {
  const { metadata = {}, spec, status } = object as PodObject;
  const failed = status?.phase === 'Failed' ? 'Error' : (status?.phase ?? 'Pending');
  return [
    metadata.name ?? '',
    '1/1',
    metadata.deletionTimestamp === undefined ? failed : 'Terminating',
    '0',
    age(),
    status?.podIP ?? '<none>',
    spec?.nodeName ?? '<none>',
    '<none>',
  ];
}

function cellsOfNode(object: object): string[] {
  const { metadata = {}, spec, status } = object as NodeObject;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const readiness =
    ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  const ipOf = (wanted: string) =>
    status?.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';
  return [
    metadata.name ?? '',
    spec?.unschedulable ? `${readiness},SchedulingDisabled` : readiness,
    '<none>',
    age(),
    'v1.34.4',
    ipOf('InternalIP'),
    ipOf('ExternalIP'),
  ];
}

/** The same, but with the first two cells of the row alone. */
export function asCutTable(...asked: Parameters<typeof asTable>): RowTable {
  const table = asTable(...asked);
  return {
    ...table,
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.slice(0, 2) })),
  };
}
