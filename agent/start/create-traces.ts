import { setTimeout as delay } from 'node:timers/promises';
import type { Evidence, EvidenceTrace } from '../../api/schema/v1/findings.js';
import type { Config } from '../config/config.js';
import type { Finding } from '../diagnosis/nouns/finding.js';
import { nameHash } from '../model/name-hash.js';
import { testPath } from '../path-tests/path-tests.js';
import { FindingTraces, type TracePath } from '../path-tests/trace/finding-traces.js';
import { collectTrace, type PathTrace, type TracedHop } from '../path-tests/trace/path-trace.js';
import type { Peers } from '../peers/peers.js';
import { loadLibc } from '../platform/libc.js';
import type { ResultStore } from '../results/result-store.js';
import type { FlowTests } from './create-flow-tests.js';
import type { Stops } from './stops.js';

export interface CreateTracesOptions {
  readonly config: Pick<Config, 'localName' | 'probePort'>;
  readonly store: Pick<ResultStore, 'paths'>;
  readonly peers: Pick<Peers, 'directory'>;
  readonly flows: Pick<FlowTests, 'evidenceOf'>;
}

/** The traces that this agent makes as a witness of findings. */
export interface Traces {
  /** Takes all open findings. */
  update(findings: readonly Finding[]): void;
  /** What was found on a path for a finding. */
  evidenceOf(id: string, path: Evidence): { readonly trace: EvidenceTrace } | undefined;
}

/** At most one trace begins in this time. */
const paceMs = 1000;

/** Traces one path of each finding of which this agent is to, and a path that works beside it. */
export function createTraces(options: CreateTracesOptions, stops: Stops): Traces {
  const { config, store } = options;
  const { probePort } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  stops.add(() => stopping.abort());
  const trace = async (path: TracePath): Promise<PathTrace | undefined> => {
    const ip = store.paths.primaryAddressOf(path.node, path.plane);
    if (ip === undefined || signal.aborted) return undefined;
    try {
      const { protocol } = path;
      const lines = testPath({
        test: 'trace',
        path: { ...path, ip },
        protocol,
        probePort,
        sourcePort: path.port,
        loadLibc,
        signal,
      });
      return await collectTrace(lines as Parameters<typeof collectTrace>[0]);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      return undefined;
    }
  };
  const traces = new FindingTraces({
    trace,
    siblingOf: (path) => siblingOf(path, options),
    pause: () => delay(paceMs, undefined, { signal, ref: false }).catch(() => undefined),
  });
  return {
    update(findings) {
      traces.update(new Map(findings.flatMap((finding) => ownPath(finding, options))));
    },
    evidenceOf(id, { to, plane, protocol }) {
      const found = traces.of(id);
      if (!found) return undefined;
      const { path, trace: traced, sibling, parting } = found;
      const isIt = path.node === to && path.plane === plane && path.protocol === protocol;
      const lastAnswering = traced.hops.at(-1);
      if (!isIt || !lastAnswering) return undefined;
      return {
        trace: {
          hops: traced.hops.map(plain),
          isReached: traced.isReached,
          lastAnswering: plain(lastAnswering),
          ...(path.port !== undefined && { port: path.port }),
          ...(sibling && {
            sibling: { to: sibling.path.node, hops: sibling.trace.hops.map(plain) },
          }),
          ...(parting && {
            parting: { after: plain(parting.after), next: plain(parting.next) },
          }),
        },
      };
    },
  };
}

function plain({ ttl, address, rttNs }: TracedHop) {
  return { ttl, address, rttNs };
}

/**
 * The first path of this agent in the evidence of a finding, where it is one of those that trace. A flow that never
 * passes says more than one that may.
 */
function ownPath(
  { id, tracedBy, evidence }: Finding,
  { config: { localName }, flows }: CreateTracesOptions,
): [string, TracePath][] {
  if (!tracedBy?.includes(localName)) return [];
  const own = evidence
    .filter(({ from }) => from === localName)
    .map((path) => ({ ...path, port: flows.evidenceOf(path)?.ports?.[0] }));
  const chosen = own.find(({ port }) => port !== undefined) ?? own[0];
  if (!chosen) return [];
  const { to: node, plane, protocol, port } = chosen;
  return [[id, { node, plane, protocol, ...(port !== undefined && { port }) }]];
}

/**
 * A path that works by the same plane and protocol: of the same zone if there is one. Of a flow that never passes any
 * other one to the same node.
 */
function siblingOf(
  failing: TracePath,
  { config, store, peers }: CreateTracesOptions,
): TracePath | undefined {
  const { port, ...anyFlow } = failing;
  if (port !== undefined) return anyFlow;
  const zoneOf = (node: string) => peers.directory.zoneOf(node);
  const zone = zoneOf(failing.node);
  let best: { readonly node: string; readonly rank: number } | undefined;
  store.paths.visitPrimaryPaths(({ node, plane }, protocol, { state }, { isLossy }) => {
    if (plane !== failing.plane || protocol !== failing.protocol) return;
    if (state !== 'reachable' || isLossy || node === config.localName || node === failing.node)
      return;
    const rank = nameHash(node) / 2 ** 32 + (zoneOf(node) === zone ? 0 : 1);
    if (!best || rank < best.rank) best = { node, rank };
  });
  return best && { ...failing, node: best.node };
}
