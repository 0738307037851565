/** How a client asks for a Table. */
export const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** A Table of a row, as far as it is used. */
export interface RowTable {
  readonly rows: readonly { readonly cells: readonly string[]; readonly object: null }[];
  readonly [more: string]: unknown;
}

const columns = ['Name', 'Status', 'Roles', 'Age', 'Version', 'Internal-IP', 'External-IP'];

interface NodeObject {
  readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/**
 * A node in a Table with `includeObject=None`, as an API server of 1.34 prints it in a watch. Only the
 * first event says what the columns are.
 */
export function asTable(object: object, isFirst: boolean): RowTable {
  const { metadata = {}, spec, status } = object as NodeObject;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const readiness =
    ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  const ipOf = (wanted: string) =>
    status?.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';
  const cells = [
    metadata.name ?? '',
    spec?.unschedulable ? `${readiness},SchedulingDisabled` : readiness,
    '<none>',
    `${Math.round(performance.now() / 1000)}s`,
    'v1.34.4',
    ipOf('InternalIP'),
    ipOf('ExternalIP'),
  ];
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: metadata.resourceVersion },
    columnDefinitions: isFirst ? columns.map((name) => ({ name, type: 'string' })) : null,
    rows: [{ cells, object: null }],
  };
}

/** The same, but with the first two cells of the row alone. */
export function asCutTable(object: object, isFirst: boolean): RowTable {
  const table = asTable(object, isFirst);
  return {
    ...table,
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.slice(0, 2) })),
  };
}
