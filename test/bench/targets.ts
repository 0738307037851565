import { encodeRow } from '../../agent/peers/row/row-text.js';
import { planes } from '../../agent/model/path.js';
import type { Row } from '../../agent/model/row.js';
import type { RowTarget, Target } from '../../agent/model/target.js';
import { NodeDirectory } from '../../agent/peers/node-directory.js';
import { Observers } from '../../agent/peers/observers.js';
import { systemClock } from '../../agent/platform/clock.js';
import { ProbeHistory } from '../../agent/results/probe-history.js';
import { decodeEndpointResults } from '../../agent/targets/endpoint/decode-endpoint-results.js';
import { encodeEndpointResults } from '../../agent/targets/endpoint/encode-endpoint-results.js';
import { WatchedTarget } from '../../agent/targets/watched-target.js';
import { makeRow } from '../rows/make-row.js';

/** What targets cost an agent: with them less without them. */
export interface TargetCosts {
  readonly nodes: number;
  readonly targets: number;
  /** Processor time of one row of a peer that has changed, of the own row, of one answer of the endpoint. */
  readonly receivedRowMs: number;
  readonly ownRowMs: number;
  readonly endpointMs: number;
  /** Of a core, while every GET brings a row that has changed: as when a target has just died. */
  readonly share: number;
  /** Of a core, while all is well: a look is told after four intervals. */
  readonly calmShare: number;
  readonly bytes: number;
}

/** How often each happens in a second: GETs to agents at the default budget, the own row, the endpoint. */
const perSecond = { rows: 20, calmRows: 5, ownRows: 1, endpoint: 0.5 } as const;
const turns = 2000;

/** Measures what sixteen targets cost an agent among so many others, beside the probes themselves. */
export function measureTargets(nodes = 5000, count = 16): TargetCosts {
  const names = Array.from({ length: nodes }, (_, node) => `cluster1/node-${node + 1}`);
  const targets = Array.from({ length: count }, (_, index) => targetOf(index));
  const watched = targets.map(watch);
  const body = encodeEndpointResults(watched, systemClock);
  const rowTargets = (): RowTarget[] =>
    watched.flatMap((one) => planes.map((plane) => ({ ...one.row(), plane })));
  const [with16, without] = [keepAll(names, rowTargets()), keepAll(names, [])];
  const ownRowMs =
    cpuMs(() => encodeRow(rowOf('cluster1/node-1', rowTargets()))) -
    cpuMs(() => encodeRow(rowOf('cluster1/node-1', [])));
  const endpointMs = cpuMs(() => decodeEndpointResults(body, systemClock));
  const receivedRowMs = Math.max(with16.rowMs - without.rowMs, 0);
  const steadyMs = perSecond.ownRows * ownRowMs + perSecond.endpoint * endpointMs;
  for (const one of watched) one.stop();
  return {
    nodes,
    targets: count,
    receivedRowMs,
    ownRowMs,
    endpointMs,
    share: (perSecond.rows * receivedRowMs + steadyMs) / 1000,
    calmShare: (perSecond.calmRows * receivedRowMs + steadyMs) / 1000,
    bytes: with16.bytes - without.bytes,
  };
}

/** Keeps a row of every node, then takes newer ones, as the exchange does it. */
function keepAll(names: readonly string[], targets: readonly RowTarget[]) {
  const directory = new NodeDirectory();
  const nodes = names.map((name) => ({ name, host: [], endpoint: [] }));
  directory.update(nodes, { added: [], removed: [] }, 0);
  const observers = new Observers(directory, names[0] ?? '');
  const take = (name: string, text: string): void => {
    const row = observers.read(name, JSON.parse(text));
    if (!row) throw new Error('expected a row that can be read, got none');
    observers.keep(row, 'p.1', 0, 0);
  };
  const texts = Array.from({ length: 64 }, (_, index) =>
    encodeRow(
      rowOf(
        names[index] ?? '',
        targets.map((one) => ({ ...one, ageSeconds: index })),
      ),
    ),
  );
  for (const [index, name] of names.entries()) take(name, texts[index % texts.length] ?? '');
  let at = 0;
  const rowMs = cpuMs(() => {
    at++;
    take(names[(at * 7) % names.length] ?? '', texts[at % texts.length] ?? '');
  });
  return { rowMs, bytes: observers.keptBytes };
}

/** The processor time of one turn, after a warm-up. */
function cpuMs(action: () => unknown): number {
  for (let turn = 0; turn < turns / 4; turn++) action();
  const start = process.cpuUsage();
  for (let turn = 0; turn < turns; turn++) action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / turns;
}

function targetOf(index: number): Target {
  return {
    name: `service-of-some-length-${index}`,
    probe: { kind: 'tcp', tcp: { host: '198.51.100.9', port: 1000 + index } },
    from: planes,
    intervalMs: 5000,
    timeoutMs: 1000,
    digest: 0x0123_4567 * (index + 1),
  };
}

const history = new ProbeHistory();

/** A target with a full history. */
function watch(target: Target): WatchedTarget {
  const watched = new WatchedTarget({
    target,
    plane: 'endpoint',
    node: () => 'c/n1',
    clock: systemClock,
    random: Math.random,
    history,
    load: () => ({ nodes: 5000, budgetPerSecond: 50 }),
    onTransition: () => undefined,
  });
  for (let sample = 0; sample < 60; sample++) {
    const rttNs = 1e6 + 1e4 * sample;
    watched.results.record({ outcome: 'reply', rttNs, sentMs: performance.now(), at: Date.now() });
  }
  return watched;
}

function rowOf(observer: string, targets: readonly RowTarget[]): Row {
  return makeRow(observer, [], 5000, {
    httpIntervalMs: 250_000,
    ...(targets.length > 0 && { targets }),
  });
}
