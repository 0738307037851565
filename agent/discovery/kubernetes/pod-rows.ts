import { listOf, mappingOf, nodeNameOf } from '../object-fields.js';
import type { ProjectedEndpoint } from './endpoint-projection.js';
import type { RowJudge, Verdict } from './row-lookups.js';
import { TableColumns } from './table-columns.js';

/** Columns of a Table of pods, up to the last one that is read, as `kubectl get pods -o wide` prints them. */
const columns = ['Name', 'Ready', 'Status', 'Restarts', 'Age', 'IP', 'Node'] as const;

const none = '<none>';

/**
 * Reads endpoint pods from the rows of a Table. A row has the node and the first address of its pod, which is all that
 * is needed of one that runs, where pods have one address each. What another word in its column `Status` means is looked up.
 */
export class PodRows implements RowJudge<ProjectedEndpoint> {
  readonly #namespace: string;
  readonly #columns = new TableColumns(columns);
  /** Rows that were read, by pod. */
  readonly #texts = new Map<string, string>();
  /** Whether any pod was read whole that has an address. */
  #isAnyKnown = false;
  /** Whether one has what its row does not show: a second address, or the network of its host. */
  #hasMore = false;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  get suffices(): boolean {
    return !this.#hasMore;
  }

  judge(table: unknown): Verdict | undefined {
    const row = this.#columns.rowOf(table);
    const shortName = nodeNameOf(row?.cell('Name'));
    if (!row || shortName === undefined) return undefined;
    const name = `${this.#namespace}/${shortName}`;
    const [status, ip, node] = [row.cell('Status'), row.cell('IP'), row.cell('Node')];
    const text = JSON.stringify([status, ip, node]);
    if (this.#texts.get(name) === text) return { name, lookUp: 'no' };
    this.#texts.set(name, text);
    const metadata = { name: shortName, namespace: this.#namespace };
    if (status === 'Terminating' || ip === none || node === none)
      return { name, lookUp: 'no', object: { metadata } };
    if (!this.#isAnyKnown || this.#hasMore) return { name, lookUp: 'soon' };
    if (status !== 'Running') return { name, lookUp: 'later' };
    return {
      name,
      lookUp: 'no',
      object: { metadata, spec: { nodeName: node }, status: { podIP: ip } },
    };
  }

  learn(object: unknown): void {
    const { spec, status } = mappingOf(object);
    const addresses = listOf(mappingOf(status)['podIPs']).length;
    if (addresses > 0) this.#isAnyKnown = true;
    if (addresses > 1 || mappingOf(spec)['hostNetwork'] === true) this.#hasMore = true;
  }

  forget(name: string): void {
    this.#texts.delete(name);
  }

  reset(): void {
    this.#texts.clear();
    [this.#isAnyKnown, this.#hasMore] = [false, false];
  }
}
