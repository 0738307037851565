import type { Findings } from '../schema/v1/findings.js';
import type { NodeMatrix, ZoneMatrix } from '../schema/v1/matrix.js';
import type { NodeEntry, NodePage, NodeVerdict } from '../schema/v1/nodes.js';
import type { Plane, Protocol } from '../schema/v1/fields.js';
import type { Notices } from '../schema/v1/notices.js';
import type { Summary } from '../schema/v1/summary.js';
import type { TargetDetail, Targets } from '../schema/v1/targets.js';
import { formatAgentAddress } from './address.js';
import { invalidResponse } from './api-error.js';
import { readEvents, type EventsOptions, type ReceivedEvent } from './events.js';
import { exchange, explainMissing, parseJson, validated, type ClientOptions } from './exchange.js';

/**
 * The plane and protocol of a matrix; `worst` is of each pair the one in which it is worst. The
 * agent's defaults are the host plane and ICMP.
 */
export interface MatrixSubject {
  readonly plane?: Plane | 'worst';
  readonly protocol?: Protocol | 'worst';
}

export interface ZoneMatrixOptions extends MatrixSubject {
  /** The label whose values are rows and columns; left out, the zone. */
  readonly by?: string;
}

export interface NodeMatrixOptions extends MatrixSubject {
  readonly zone?: string;
  readonly toZone?: string;
  readonly nodes?: readonly string[];
  /** Only observers whose names come after this one. */
  readonly rowsAfter?: string;
}

export interface TargetNodeMatrixOptions {
  readonly target: string;
  readonly zone?: string;
}

export interface NodesOptions {
  readonly state?: NodeVerdict;
  readonly zone?: string;
  readonly name?: string;
  readonly shows?: 'signs' | 'changes';
  readonly limit?: number;
  readonly cursor?: string;
}

/**
 * The calls of `/v1`, about the whole cluster. Each rejects with ApiError if there is no valid
 * answer.
 */
export interface V1Calls {
  readonly summary: () => Promise<Summary>;
  readonly findings: () => Promise<Findings>;
  readonly zoneMatrix: (options?: ZoneMatrixOptions) => Promise<ZoneMatrix>;
  readonly nodeMatrix: (options?: NodeMatrixOptions) => Promise<NodeMatrix>;
  /** One page of nodes. Its `nextCursor` asks for the next page. */
  readonly nodes: (options?: NodesOptions) => Promise<NodePage>;
  readonly node: (name: string) => Promise<NodeEntry>;
  readonly targets: () => Promise<Targets>;
  readonly target: (name: string) => Promise<TargetDetail>;
  /** The zones of the observers, and how they reach one target from each plane. */
  readonly targetZoneMatrix: (target: string) => Promise<ZoneMatrix>;
  /** The observers, and how they reach one target from each plane. */
  readonly targetNodeMatrix: (options: TargetNodeMatrixOptions) => Promise<NodeMatrix>;
  /** Who is told of findings, and what was told. */
  readonly notices: () => Promise<Notices>;
  /** The changes as they come. The generator resumes by itself after a lost connection. */
  readonly events: (options?: EventsOptions) => AsyncGenerator<ReceivedEvent, void, undefined>;
}

/** The calls of `/v1` to one agent. Each schema is loaded with the first answer that needs it. */
export function createV1Calls(options: ClientOptions): V1Calls {
  const where = formatAgentAddress(options.address);
  const get = async (path: string): Promise<unknown> => {
    const route = `/v1/${path}`;
    const text = await exchange(options, 'GET', route, where).catch((error: unknown) => {
      throw explainMissing(error, where, route);
    });
    return parseJson(text, where);
  };
  return {
    async summary() {
      const body = await get('summary');
      const { summarySchema } = await import('../schema/v1/summary.js');
      return validated(body, summarySchema, where);
    },
    async findings() {
      const body = await get('findings');
      const { findingsSchema } = await import('../schema/v1/findings.js');
      return validated(body, findingsSchema, where);
    },
    async zoneMatrix(subject = {}) {
      const body = await get(`matrix${queryOf({ by: 'zone', ...subject })}`);
      const { zoneMatrixSchema } = await import('../schema/v1/matrix.js');
      return validated(body, zoneMatrixSchema, where);
    },
    async nodeMatrix({ nodes, ...rest } = {}) {
      const query = queryOf({ by: 'node', ...rest, ...(nodes && { nodes: nodes.join(',') }) });
      return wholeMatrix(await get(`matrix${query}`), where);
    },
    async nodes(query = {}) {
      const body = await get(`nodes${queryOf(query)}`);
      const { nodePageSchema } = await import('../schema/v1/nodes.js');
      return validated(body, nodePageSchema, where);
    },
    async node(name) {
      const body = await get(`nodes/${encodeURIComponent(name)}`);
      const { nodeEntrySchema } = await import('../schema/v1/nodes.js');
      return validated(body, nodeEntrySchema, where);
    },
    async targets() {
      const body = await get('targets');
      const { targetsSchema } = await import('../schema/v1/targets.js');
      return validated(body, targetsSchema, where);
    },
    async target(name) {
      const body = await get(`targets/${encodeURIComponent(name)}`);
      const { targetDetailSchema } = await import('../schema/v1/targets.js');
      return validated(body, targetDetailSchema, where);
    },
    async targetZoneMatrix(target) {
      const body = await get(`matrix${queryOf({ by: 'zone', target })}`);
      const { zoneMatrixSchema } = await import('../schema/v1/matrix.js');
      return validated(body, zoneMatrixSchema, where);
    },
    async targetNodeMatrix(query) {
      return wholeMatrix(await get(`matrix${queryOf({ by: 'node', ...query })}`), where);
    },
    async notices() {
      const body = await get('notices');
      const { noticesSchema } = await import('../schema/v1/notices.js');
      return validated(body, noticesSchema, where);
    },
    events: (events = {}) => readEvents(options, events),
  };
}

async function wholeMatrix(body: unknown, where: string): Promise<NodeMatrix> {
  const { nodeMatrixSchema } = await import('../schema/v1/matrix.js');
  const matrix = validated(body, nodeMatrixSchema, where);
  const { decodeMatrix } = await import('../schema/v1/matrix-cells.js');
  try {
    decodeMatrix(matrix);
  } catch (error) {
    throw invalidResponse(where, `a matrix that is not whole (${String(error)})`);
  }
  return matrix;
}

function queryOf(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `?${query.toString()}` : '';
}
