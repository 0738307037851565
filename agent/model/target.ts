import type { FailureKind } from './failure.js';
import { nameHash } from './name-hash.js';
import type { Plane } from './path.js';

/** What a target is probed by. */
export const targetKinds = ['dns', 'tcp', 'http', 'icmp'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** At most so many targets are probed. */
export const maxTargets = 16;

/** The name of a target: a label as DNS has them (RFC 1123). */
export const targetNamePattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A question to DNS servers, each asked for itself. */
export interface DnsQuestion {
  readonly query: string;
  readonly type: 'A' | 'AAAA';
  /** IP addresses, with a port where it is not 53; empty: the nameservers of this host or pod. */
  readonly servers: readonly string[];
  /** The addresses that an answer must have, all of them and no other; empty: any. */
  readonly expect: readonly string[];
}

/** One end of a TCP connection. */
export interface TcpEnd {
  readonly host: string;
  readonly port: number;
}

/** A request by HTTP or HTTPS. */
export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD';
  /** Any of these statuses is well; empty: any answer is. */
  readonly expectStatus: readonly number[];
  /** A file of `name: value` lines. What is in it is a secret: it is never shown, logged or told. */
  readonly headersFile: string | undefined;
  /** A file of certificates that sign the server's; undefined: those that Node knows. */
  readonly caFile: string | undefined;
  /** The name that the certificate must have; undefined: that of the URL. */
  readonly tlsName: string | undefined;
  /** Nothing says who signs the server's certificate here: any is taken. */
  readonly takesAnyCertificate?: boolean;
  /** Asks for the name of the node that answers: an endpoint of meshprobe tells it to who asks. */
  readonly asksNode?: boolean;
}

/** What the name of a target stands for, and how it is probed. */
export type TargetProbe =
  | { readonly kind: 'dns'; readonly dns: DnsQuestion }
  | { readonly kind: 'tcp'; readonly tcp: TcpEnd }
  | { readonly kind: 'http'; readonly http: HttpRequest }
  | { readonly kind: 'icmp'; readonly host: string };

/** Something that the cluster lives on, beside its nodes: every node probes it. */
export interface Target {
  readonly name: string;
  readonly probe: TargetProbe;
  /** Where it is probed from: the node, the pod network, or both. */
  readonly from: readonly Plane[];
  /** The shortest time between two probes from one plane of one node. */
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** The same on all agents that probe the same thing in the same way: 32 bits. */
  readonly digest: number;
  /** Why this process cannot probe it; absent where it can. Its state is then unknown. */
  readonly notProbedBecause?: string;
}

/** What one observer says of a target, in its row. */
export type RowTargetState = 'reachable' | 'lossy' | 'slow' | 'unreachable' | 'unknown';
export const rowTargetStates: readonly RowTargetState[] = [
  'reachable',
  'lossy',
  'slow',
  'unreachable',
  'unknown',
];

/**
 * The ages of a look as rows tell them, in seconds: to a tenth, the one rounded down and the other up. So nobody believes
 * that it has looked since something that came after.
 */
export function rowAges(
  ageMs: number,
  probedMs: number,
): Pick<RowTarget, 'ageSeconds' | 'probedSeconds'> {
  return {
    ageSeconds: Math.floor(Math.max(ageMs, 0) / 100) / 10,
    probedSeconds: Math.ceil(Math.max(probedMs, 0) / 100) / 10,
  };
}

/** Which DNS servers an observer asks, in short: nodes may have different ones. */
export interface RowServers {
  readonly count: number;
  /** Of their addresses in order: 32 bits. */
  readonly digest: number;
}

/** Sums up DNS servers, in the order in which they are numbered; undefined where there are none. */
export function rowServersOf(servers: readonly string[]): RowServers | undefined {
  if (servers.length === 0) return undefined;
  return { count: servers.length, digest: nameHash(servers.join(' ')) };
}

/** One target as an observer sees it from one plane. */
export interface RowTarget {
  readonly target: string;
  /** That of the definition: targets of one name and another digest are not the same. */
  readonly digest: number;
  readonly plane: Plane;
  readonly state: RowTargetState;
  /** Seconds since it entered that state. */
  readonly ageSeconds: number;
  /** Seconds since the last probe that had a result was sent. */
  readonly probedSeconds: number;
  /** Absent where it does not fail. */
  readonly failure?: FailureKind;
  /** Of its last samples; absent where none was answered. */
  readonly p50Ns?: number;
  /** Of the last hour. It is the median where too few samples tell it: `tailNs`. */
  readonly p99Ns?: number;
  /** Of several DNS servers, those that fail: their number in the observer's list, the first is 0. */
  readonly failingServers?: readonly number[];
  /** That list. Older agents do not tell it, and other kinds of targets have none. */
  readonly servers?: RowServers;
}

/** Whether nothing is wrong as a look says it, or not known. */
export function isWellLook({
  state,
  failingServers,
}: Pick<RowTarget, 'state' | 'failingServers'>): boolean {
  return state === 'unknown' || (state === 'reachable' && failingServers === undefined);
}

/** The round trips in a row. Older agents refuse one without its 99th percentile. */
export function rowRtts({
  p50,
  p99 = p50,
}: {
  readonly p50: number;
  readonly p99?: number;
}): Required<Pick<RowTarget, 'p50Ns' | 'p99Ns'>> {
  return { p50Ns: p50, p99Ns: Math.max(p50, p99) };
}

/** The 99th percentile in a row; undefined where too few samples told it. */
export function tailNs({ p50Ns = 0, p99Ns = 0 }: RowTarget): number | undefined {
  return p99Ns > p50Ns ? p99Ns : undefined;
}
