import { systemClock, type Clock } from '../../platform/clock.js';
import { listOf, mappingOf, nodeNameOf, timeOf } from '../object-fields.js';
import type { ProjectedNode } from './node-projection.js';
import type { RowJudge, Verdict } from './row-lookups.js';
import { TableColumns } from './table-columns.js';

/** What of a Table of nodes is read. The server's printer names the columns so: `kubectl get nodes -o wide`. */
const columns = ['Name', 'Status', 'Roles', 'Age', 'Version', 'Internal-IP'] as const;

/** `nodeStatusReportFrequency` of kubelets: how often they report where nothing has changed. */
const reportMs = 300_000;
/** A kubelet looks every 10 s whether a report is due; what it sends takes its time. */
const reportJitterMs = { early: 5000, late: 25_000 };

/**
 * Tells from the rows of a Table whether a Node has to be looked up. A row is a thirtieth of its
 * Node, but lacks most of it: taints, labels, further addresses. So two things call for a look-up: a row
 * that is not as it was, and a change of a node at another time than that at which its kubelet
 * reports, every five minutes, that nothing has changed.
 */
export class NodeRows implements RowJudge<ProjectedNode> {
  readonly #clock: Pick<Clock, 'nowMs' | 'wallMs'>;
  /** When the kubelet reported last, in monotonic milliseconds. */
  readonly #reportedMs = new Map<string, number>();
  /** Rows that were looked up, without their age. */
  readonly #texts = new Map<string, string>();
  readonly #columns = new TableColumns(columns);
  /** Whatever nodes there are, what a row lacks is looked up. */
  readonly suffices = true;

  constructor(clock: Pick<Clock, 'nowMs' | 'wallMs'> = systemClock) {
    this.#clock = clock;
  }

  judge(table: unknown, known: (name: string) => ProjectedNode | undefined): Verdict | undefined {
    const row = this.#columns.rowOf(table);
    const name = nodeNameOf(row?.cell('Name'));
    if (!row || name === undefined) return undefined;
    // It changes by itself.
    const text = row.textWithout('Age');
    const before = this.#texts.get(name);
    const node = known(name);
    const isAsKnown =
      before === undefined
        ? node !== undefined && fits(node, row.cell('Status'), row.cell('Internal-IP'))
        : before === text;
    const isRegular = this.#isRegular(name);
    if (!isAsKnown) this.#texts.set(name, text);
    return { name, lookUp: isAsKnown ? (isRegular ? 'no' : 'later') : 'soon' };
  }

  /**
   * Takes a whole Node: when its kubelet reported last, by that host's clock. Where the clock is far
   * off, each report of that node is looked up.
   */
  learn(object: unknown): void {
    const { metadata, status } = mappingOf(object);
    const name = nodeNameOf(mappingOf(metadata)['name']);
    const times = listOf(mappingOf(status)['conditions']).map((condition) =>
      timeOf(mappingOf(condition)['lastHeartbeatTime']),
    );
    const at = Math.max(...times.map((time) => time ?? 0));
    if (name === undefined || at <= 0) return;
    const agoMs = Math.max(this.#clock.wallMs() - at, 0);
    this.#reportedMs.set(name, this.#clock.nowMs() - agoMs);
  }

  forget(name: string): void {
    this.#reportedMs.delete(name);
    this.#texts.delete(name);
  }

  reset(): void {
    this.#reportedMs.clear();
    this.#texts.clear();
  }

  /** Whether the kubelet's report is due now; then this was it. */
  #isRegular(name: string): boolean {
    const reportedMs = this.#reportedMs.get(name);
    if (reportedMs === undefined) return false;
    const sinceMs = this.#clock.nowMs() - reportedMs;
    if (sinceMs < reportMs - reportJitterMs.early || sinceMs > reportMs + reportJitterMs.late)
      return false;
    this.#reportedMs.set(name, this.#clock.nowMs());
    return true;
  }
}

function fits({ notReady, isCordoned, addresses }: ProjectedNode, status: string, ip: string) {
  const [readiness, ...more] = status.split(',');
  const isReady = readiness === 'Ready';
  return (
    isReady === (notReady === undefined) &&
    more.includes('SchedulingDisabled') === isCordoned &&
    (addresses[0] ?? '<none>') === ip
  );
}
