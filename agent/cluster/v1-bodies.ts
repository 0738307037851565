import type {
  NodeFilter,
  TooManyValues,
  UnknownLabel,
  UnknownName,
  UnknownZone,
  V1Source,
} from '../../api/routes/v1/source.js';
import type { Evidence, Findings } from '../../api/schema/v1/findings.js';
import type { NodeMatrix, ZoneMatrix } from '../../api/schema/v1/matrix.js';
import type { FlowState, NodeEntry, UdpState } from '../../api/schema/v1/nodes.js';
import type { Notices } from '../../api/schema/v1/notices.js';
import type { MatrixQuery, TargetMatrixQuery } from '../../api/schema/v1/queries.js';
import type { Summary } from '../../api/schema/v1/summary.js';
import type { TargetDetail, Targets } from '../../api/schema/v1/targets.js';
import { planes, type Plane } from '../model/path.js';
import { runInSlices } from '../platform/time-slices.js';
import type { EventLog } from '../reports/event-log.js';
import type { ClusterState } from '../reports/v1/cluster-state.js';
import { findingsBody } from '../reports/v1/findings-body.js';
import { largeCounts, type LargeOf } from '../reports/v1/large-counts.js';
import { nodeEntries, nodeEntry, unknownNode } from '../reports/v1/node-entries.js';
import { unknownZone } from '../reports/v1/zone-nodes.js';
import { nodeMatrixBody } from '../reports/v1/node-matrix-body.js';
import { withOwnEvidence, type OwnEvidence } from '../reports/v1/own-evidence.js';
import { createSeenBy, type CountSeenBy } from '../reports/v1/seen-by.js';
import { summaryBody } from '../reports/v1/summary-body.js';
import { targetMatrixBody } from '../reports/v1/target-matrix-body.js';
import { targetDetail, targetsBody } from '../reports/v1/targets-body.js';
import { zoneMatrixBody } from '../reports/v1/zone-matrix-body.js';
import type { ResultStore } from '../results/result-store.js';
import type { Cluster } from './cluster.js';

export interface V1BodiesOptions {
  readonly cluster: Pick<Cluster, 'events' | 'state'>;
  readonly store: Pick<ResultStore, 'prepareSnapshot' | 'paths'>;
  /** Whether large packets pass to a node on a plane; left out, nobody tests it. */
  readonly largeOf?: LargeOf;
  /** What became of datagrams to a node on a plane; left out, nobody sends any. */
  readonly udpOf?: (node: NodeEntry, plane: Plane) => UdpState | undefined;
  /** What is known of the flows to a node on a plane; left out, nobody tests them. */
  readonly flowsOf?: (node: NodeEntry, plane: Plane) => FlowState | undefined;
  /** What this agent knows of one of its paths that a finding explains; left out, nothing. */
  readonly ownEvidenceOf?: (
    path: Evidence,
    finding: { readonly id: string },
  ) => OwnEvidence | undefined;
  /** What was told of findings; left out, or undefined: nobody is to be told. */
  readonly noticesBody?: () => Promise<Notices> | undefined;
}

/** The next page of a list of nodes is asked for within this time. */
const nextPageMs = 5000;

/** The bodies of `/v1`, each made from the state of the cluster when it is asked for. */
export class V1Bodies implements V1Source {
  readonly #options: V1BodiesOptions;
  /** What the last page of nodes was written with, and when that was. */
  #counted: { readonly seenBy: CountSeenBy; readonly atMs: number } | undefined;

  constructor(options: V1BodiesOptions) {
    this.#options = options;
  }

  get events(): EventLog {
    return this.#options.cluster.events;
  }

  async summary(): Promise<Summary> {
    const state = await this.#preparedState();
    const body = summaryBody(state);
    const { largeOf } = this.#options;
    if (!largeOf) return body;
    for (const plane of planes) body.paths[plane].large = largeCounts(state, plane, largeOf);
    return body;
  }

  /** @param most how many of the worst findings are wanted */
  findings(most?: number): Findings {
    const state = this.#state();
    const body = findingsBody(state, most);
    const { ownEvidenceOf } = this.#options;
    if (!ownEvidenceOf) return body;
    return { ...body, findings: withOwnEvidence(body.findings, state.localName, ownEvidenceOf) };
  }

  async matrix(
    query: MatrixQuery,
  ): Promise<ZoneMatrix | NodeMatrix | UnknownZone | UnknownLabel | TooManyValues> {
    const state = await this.#preparedState();
    return query.by === 'node'
      ? runInSlices(nodeMatrixBody(state, query))
      : runInSlices(zoneMatrixBody(state, query));
  }

  async nodes(filter: NodeFilter): Promise<readonly NodeEntry[] | UnknownZone> {
    const state = await this.#preparedState();
    // A zone may lose its last node between two pages.
    const unknown =
      filter.afterName === undefined && filter.zone && unknownZone(state.nodes, filter.zone);
    if (unknown) return unknown;
    const seenBy = await this.#seenBy(state, filter);
    const entries = await runInSlices(nodeEntries(state, filter, seenBy));
    for (const entry of entries) {
      for (const plane of planes) {
        const large = this.#options.largeOf?.(entry, plane);
        const paths = entry.paths[plane];
        if (paths && large?.state === 'lost') paths.large = large;
      }
    }
    return entries;
  }

  async node(name: string): Promise<NodeEntry | UnknownName> {
    const state = await this.#preparedState();
    const entry = await runInSlices(nodeEntry(state, name));
    if (!entry) return unknownNode(state, name);
    const { store, largeOf, udpOf, flowsOf } = this.#options;
    for (const plane of planes) {
      const paths = entry.paths[plane];
      if (!paths) continue;
      const large = largeOf?.(entry, plane);
      if (large) paths.large = large;
      const udp = udpOf?.(entry, plane);
      if (udp) paths.udp = udp;
      const flows = flowsOf?.(entry, plane);
      if (flows) paths.flows = flows;
      const hops = store.paths.hopsOf(entry.name, plane);
      if (hops !== undefined) paths.hops = hops;
    }
    return entry;
  }

  targets(): Promise<Targets> {
    return runInSlices(targetsBody(this.#state()));
  }

  target(name: string): Promise<TargetDetail | UnknownName> {
    return runInSlices(targetDetail(this.#state(), name));
  }

  targetMatrix(
    query: TargetMatrixQuery,
  ): Promise<ZoneMatrix | NodeMatrix | UnknownName | UnknownZone> {
    return runInSlices(targetMatrixBody(this.#state(), query));
  }

  async notices(): Promise<Notices> {
    const at = new Date(this.#state().at).toISOString();
    return (await this.#options.noticesBody?.()) ?? { at, receivers: [], notices: [] };
  }

  /** A page after the first has the counts of the page before: to read thousands of rows takes longer than to write a page. */
  async #seenBy(state: ClusterState, { afterName }: NodeFilter): Promise<CountSeenBy> {
    const last = this.#counted;
    if (afterName !== undefined && last && performance.now() - last.atMs < nextPageMs)
      return last.seenBy;
    const seenBy = await runInSlices(createSeenBy(state));
    this.#counted = { seenBy, atMs: performance.now() };
    return seenBy;
  }

  #state(): ClusterState {
    return this.#options.cluster.state();
  }

  /** The state, with its snapshot made in slices. */
  async #preparedState(): Promise<ClusterState> {
    await this.#options.store.prepareSnapshot();
    return this.#state();
  }
}
