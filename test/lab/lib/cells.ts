import type { ProtocolStatus, Status } from '../../../api/schema/status.js';
import { clusterName, type Host } from './plan.js';
import { getJson } from './unix-socket.js';

/** One path and protocol as one agent probes it: one cell in the matrix of a lab. */
export interface Place {
  readonly source: string;
  readonly target: string;
  readonly plane: 'host' | 'endpoint';
  readonly protocol: 'icmp' | 'http';
}

/** What an agent says about one path and protocol. */
export interface Cell extends Place {
  readonly state: string;
  /** The start of the present state in epoch milliseconds; 0 if the state is unknown. */
  readonly since: number;
  /** The failures in a row. */
  readonly failures: number;
  /** The time of the last probe in epoch milliseconds; 0 if there was none. */
  readonly lastProbedAt: number;
  /** The failure, or the reason why the state is unknown. */
  readonly reason: string | undefined;
  /** The whole protocol status; undefined if the API has none for this path. */
  readonly said: ProtocolStatus | undefined;
}

/** Asks the agent behind a socket about every path to the hosts. Each host has four cells. */
export async function readCells(
  source: Host,
  socketPath: string,
  targets: readonly Host[],
): Promise<Cell[]> {
  const { status, error } = await readStatus(socketPath);
  return targets.flatMap((target) =>
    placesOf(source.name, target.name).map((place) => readCell(place, target, status, error)),
  );
}

function placesOf(source: string, target: string): Place[] {
  return (['host', 'endpoint'] as const).flatMap((plane) =>
    (['icmp', 'http'] as const).map((protocol) => ({ source, target, plane, protocol })),
  );
}

function readCell(place: Place, target: Host, status: Status | undefined, error?: string): Cell {
  const node = status?.nodes.find(({ name }) => name === `${clusterName}/${target.name}`);
  const [plane, ip] =
    place.plane === 'host'
      ? [node?.host, target.nodeIp]
      : [node?.['health-endpoint'], target.endpointIp];
  const path = plane?.['primary-address'];
  const known = path?.ip === ip ? path[place.protocol] : undefined;
  return {
    ...place,
    state: known?.state ?? 'unknown',
    since: known?.since ? Date.parse(known.since) : 0,
    failures: known?.failures ?? 0,
    lastProbedAt: known?.lastProbed ? Date.parse(known.lastProbed) : 0,
    reason: known?.status ?? error ?? path?.unknown?.[place.protocol],
    said: known ?? undefined,
  };
}

async function readStatus(socketPath: string): Promise<{ status?: Status; error?: string }> {
  try {
    return { status: (await getJson(socketPath, '/v1beta/status')) as Status };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
