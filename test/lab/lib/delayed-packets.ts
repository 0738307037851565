import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { HistorySample } from '../../../api/schema/history.js';
import * as faults from './faults.js';
import type { Host } from './plan.js';
import type { Mesh } from './start-mesh.js';

/** The timeout leaves enough time for an answer to a delayed probe. */
const probeTimeoutMs = 2000;
/** After this time every path has probes under way. */
export const heldMs = 600;
/** No packet is delayed by more than this, so longer RTTs are false. */
export const longestTrueMs = 2500;

/** Three hosts whose packets are held back while an agent or a clock stands still. */
export const delayedMesh = {
  hosts: 3,
  family: 4,
  settings: { 'icmp-interval': '200ms', 'probe-timeout': `${probeTimeoutMs}ms` },
} as const;

/** All samples that a host's agent kept of probes sent after that time. */
export async function samplesOf(
  { lab, agents }: Mesh,
  host: Host,
  sinceAt: number,
  among: readonly ('icmp' | 'http')[] = ['icmp', 'http'],
): Promise<HistorySample[]> {
  const histories = await Promise.all(lab.hosts.map((of) => agents.history(host, of)));
  return histories
    .flatMap(({ paths }) => paths)
    .flatMap((path) => among.flatMap((protocol) => path[protocol]?.samples ?? []))
    .filter(({ at }) => Date.parse(at) >= sinceAt);
}

/** Expects no failure and no untainted RTT that only a stop of the agent itself can explain. */
export async function expectBelievable(mesh: Mesh, host: Host, sinceAt: number): Promise<void> {
  const believed = (await samplesOf(mesh, host, sinceAt)).filter(({ tainted }) => !tainted);
  expect(believed.length).toBeGreaterThan(0);
  expect(believed.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(believed.filter(({ rtt }) => (rtt ?? 0) > longestTrueMs * 1e6)).toEqual([]);
}

/**
 * Holds back the packets between these hosts and their neighbours, so that probes are under way.
 */
export async function holdAll({ lab }: Mesh, hosts: readonly Host[]): Promise<faults.Repair> {
  const next = (host: Host): Host => lab.hosts[(lab.hosts.indexOf(host) + 1) % 3] ?? host;
  const releases = await Promise.all(hosts.map((host) => faults.hold(lab, host, next(host))));
  await delay(heldMs);
  return async () => {
    await Promise.all(releases.map((release) => release()));
  };
}
