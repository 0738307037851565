import { performance } from 'node:perf_hooks';
import { diagnoseSteps } from '../../agent/diagnosis/diagnose.js';
import { chooseRows } from '../../agent/diagnosis/evidence/row-choice.js';
import type { DiagnosisInput, ObservedRow } from '../../agent/diagnosis/nouns/diagnosis-input.js';
import { NodeDirectory } from '../../agent/peers/node-directory.js';
import { Observers } from '../../agent/peers/observers.js';
import { encodeRow } from '../../agent/peers/row/row-text.js';
import { nameHash } from '../../agent/model/name-hash.js';
import type { Row } from '../../agent/model/row.js';
import { addressesOf, makeInput } from '../rows/make-input.js';
import { freshRow, makeRow, pathsTo } from '../rows/make-row.js';
import { threadCpuMs } from './environment/process-usage.js';

interface Spread {
  readonly min: number;
  readonly p50: number;
  readonly max: number;
}

/** The time of one diagnosis in milliseconds, over some runs. */
export interface DiagnosisFigures {
  readonly nodes: number;
  readonly dead: number;
  readonly findings: number;
  readonly unexplained: number;
  /**
   * The wall time of one run, the processor time of the thread that works it out, and that of the process, whose other threads compile
   * and collect garbage. What else the machine does lengthens the wall time to several times as much.
   */
  readonly wallMs: Spread;
  readonly threadMs: Spread;
  readonly cpuMs: Spread;
  /** The part of it that reads the rows. */
  readonly unpackMs: Spread;
  /**
   * The longest time in which nothing else could run: its median over the runs, and its maximum.
   */
  readonly stretchMs: Spread;
}

const mostTold = 64;
const zones = 3;

/** By how many values labels tell nodes apart, the zone beside them: kernel to rack. */
const valuesOfLabels = {
  kernel: 4,
  os: 2,
  kubelet: 3,
  runtime: 2,
  role: 3,
  instance: 10,
  rack: 250,
};
/** The labels of a cluster whose nodes are grouped by eight. */
export const eightLabels: readonly string[] = ['zone', ...Object.keys(valuesOfLabels)];

/**
 * Measures the findings of a cluster in which a share of the nodes is dead. The local agent has a row of
 * all dead nodes, each other one of the 64 with the lowest hash. It is kept and read as the agent does it. The
 * output of each run goes into the next one.
 * @param groupBy the labels by which nodes are grouped
 */
export async function measureDiagnosis(
  nodes = 5000,
  deadShare = 0.3,
  runs = 15,
  groupBy: readonly string[] = [],
): Promise<DiagnosisFigures> {
  const walls: number[] = [];
  const threads: number[] = [];
  const cpus: number[] = [];
  const unpacks: number[] = [];
  const stretches: number[] = [];
  const dead = Math.round(nodes * deadShare);
  const { rows, ...rest } = diagnosisInput(nodes, dead, groupBy);
  let previous: DiagnosisInput['previous'];
  for (let run = 0; run < runs; run++) {
    const steps = diagnoseSteps({ ...rest, rows: rows(), previous });
    const [start, threadStartMs] = [process.cpuUsage(), await threadCpuMs(process.pid)];
    let [wall, longest] = [0, 0];
    for (;;) {
      const startMs = performance.now();
      const step = steps.next();
      const ms = performance.now() - startMs;
      wall += ms;
      longest = Math.max(longest, ms);
      if (!step.done) continue;
      previous = step.value;
      break;
    }
    threads.push((await threadCpuMs(process.pid)) - threadStartMs);
    const { user, system } = process.cpuUsage(start);
    cpus.push((user + system) / 1000);
    walls.push(wall);
    stretches.push(longest);
  }
  // After the runs: what it throws away is not theirs to collect.
  for (let run = 0; run < runs; run++) {
    const startMs = performance.now();
    let unpacked = 0;
    for (const { row } of chooseRows(rows(), rest)) unpacked += row.paths.length;
    unpacks.push(performance.now() - startMs);
    if (unpacked === 0) throw new Error('expected rows with paths, got none');
  }
  return {
    nodes,
    dead,
    findings: previous?.findings.length ?? 0,
    unexplained: previous?.unexplained ?? 0,
    wallMs: spread(walls),
    threadMs: spread(threads),
    cpuMs: spread(cpus),
    unpackMs: spread(unpacks),
    stretchMs: spread(stretches),
  };
}

function spread(values: number[]): Spread {
  const sorted = values.sort((a, b) => a - b);
  const [min = 0] = sorted;
  return { min, p50: sorted[Math.floor(sorted.length / 2)] ?? min, max: sorted.at(-1) ?? min };
}

/** Returns the input of such a diagnosis. Each call of `rows` writes them anew. */
export function diagnosisInput(size: number, dead: number, groupBy: readonly string[] = []) {
  const names = Array.from({ length: size }, (_, node) => `cluster1/node-${node + 1}`);
  // The dead nodes are spread evenly, so that each zone has its share.
  const isDead = (node: number) =>
    Math.floor(((node + 1) * dead) / size) > Math.floor((node * dead) / size);
  const deadNames = names.filter((_, node) => isDead(node));
  const told = deadNames.sort((a, b) => nameHash(a) - nameHash(b)).slice(0, mostTold);
  const nodes = names.map((name, node) => ({
    name,
    zone: `zone-${node % zones}`,
    labels: Object.fromEntries(
      Object.entries(valuesOfLabels).map(([label, values]) => [
        label,
        `v${nameHash(`${label} ${Math.floor(node / 20)}`) % values}`,
      ]),
    ),
    phase: 'active' as const,
    ...addressesOf(node),
  }));
  const directory = new NodeDirectory();
  directory.update(nodes, { added: [], removed: [] }, 0);
  const localName = names.find((_, node) => !isDead(node)) ?? '';
  const observers = new Observers(directory, localName);
  for (const [node, observer] of names.entries()) {
    if (isDead(node)) continue;
    const row = observers.read(observer, JSON.parse(encodeRow(rowOf(observer, told, size, dead))));
    if (!row) throw new Error('expected a row that can be kept, got none');
    observers.keep(row, '', 0, node % 5000);
  }
  // An agent has all of its own row.
  const ownRow = rowOf(localName, deadNames, size, dead);
  const own = freshRow(ownRow);
  function* rows(): Generator<ObservedRow> {
    yield own;
    for (const observed of observers.rows(5000)) {
      if (observed.row.observer !== localName) yield observed;
    }
  }
  return { ...makeInput(nodes, { rows: [], localName }, groupBy), rows };
}

function rowOf(observer: string, told: readonly string[], size: number, dead: number): Row {
  const state = { state: 'unreachable', ageSeconds: 40, failure: 'timeout' } as const;
  const paths = told.flatMap((node) => pathsTo(node, () => state));
  return makeRow(observer, paths, size - 1, { omittedNodes: dead - told.length });
}
