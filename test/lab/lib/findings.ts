import { setTimeout as delay } from 'node:timers/promises';
import type { Finding, Findings } from '../../../api/schema/v1/findings.js';
import type { Expected as ExpectedOfPaths } from '../../faults/fault.js';
import type { Agents } from './agents.js';
import { clusterName, type Host } from './plan.js';
import { getJson } from './unix-socket.js';

interface ExpectedGroup {
  readonly label: string;
  readonly value: string;
  readonly nodes: number;
  readonly like?: readonly string[];
}

/** The expected content of a finding. Nodes are given by the names of their hosts. */
export interface Expected extends ExpectedOfPaths {
  readonly group?: ExpectedGroup;
  readonly groups?: readonly ExpectedGroup[];
  readonly target?: string;
  /** Of `host-sign`. */
  readonly sign?: string;
}

const pollMs = 200;
/** A finding should appear within this time. */
const slowMs = 10_000;

/** The first difference between a finding and the expected one; undefined if there is none. */
export function lackOf(finding: Finding | undefined, expected: Expected): string | undefined {
  if (!finding) return `expected ${expected.kind}, got no finding`;
  const name = (host: string) => `${clusterName}/${host}`;
  const wanted: Readonly<Record<string, unknown>> = {
    ...expected,
    ...(expected.node !== undefined && { node: name(expected.node) }),
    ...(expected.pair && { pair: expected.pair.map(name).sort() }),
  };
  const got: Readonly<Record<string, unknown>> = {
    ...finding,
    ...(finding.pair && { pair: [...finding.pair].sort() }),
    ...(finding.zones && { zones: [...finding.zones].sort() }),
  };
  const wrong = Object.keys(wanted).find(
    (key) => JSON.stringify(wanted[key]) !== JSON.stringify(got[key]),
  );
  return wrong === undefined
    ? undefined
    : `expected ${wrong} ${JSON.stringify(wanted[wrong])}, got ${finding.id}: ${finding.text}`;
}

/** A check of `waitForFindings`: the host has no finding. */
export function nothing(_host: Host, findings: readonly unknown[]): string | undefined {
  return findings.length === 0 ? undefined : 'expected no finding';
}

/**
 * Polls the findings of some hosts until all of them pass the check. An agent that just starts does not
 * pass it. If a host takes longer than a finding should, prints what it said until then.
 * @param check says what is wrong with a host's findings; undefined if nothing is
 * @returns for each host, the milliseconds after which its findings were right and stayed so
 * @throws Error with the findings of each host, if some are wrong after `deadlineMs`, or if an agent has
 *   ended by itself
 */
export async function waitForFindings(
  agents: Agents,
  hosts: readonly Host[],
  check: (host: Host, findings: readonly Finding[]) => string | undefined,
  deadlineMs: number,
): Promise<ReadonlyMap<string, number>> {
  const startMs = performance.now();
  const rightSince = new Map<string, number>();
  const said = new Map<string, string[]>();
  for (;;) {
    agents.expectAlive();
    const lacks = await Promise.all(
      hosts.map(async (host) => {
        const body = await readFindings(agents, host);
        if (body instanceof Error) {
          rightSince.delete(host.name);
          return [`${host.name}: ${body.message}`];
        }
        const lack = check(host, body.findings);
        note(said, host, performance.now() - startMs, body.findings);
        if (lack === undefined) {
          const ms = performance.now() - startMs;
          rightSince.set(host.name, rightSince.get(host.name) ?? ms);
          return [];
        }
        rightSince.delete(host.name);
        const ids = body.findings.map(({ id, explains }) => `${id} (${explains})`).join(', ');
        return `${host.name}: ${lack}; all of its findings: ${ids || 'none'}`;
      }),
    );
    if (lacks.flat().length === 0) {
      for (const [name, ms] of rightSince) {
        if (ms > slowMs)
          console.log([`${name} was slow. It said:`, ...(said.get(name) ?? [])].join('\n  '));
      }
      return rightSince;
    }
    if (performance.now() - startMs > deadlineMs) {
      // One line, as a summary of tests shows no more.
      const message = `after ${deadlineMs} ms: ${lacks.flat().join('; ')}`;
      console.error(message);
      throw new Error(message);
    }
    await delay(pollMs);
  }
}

/** What a host's agent finds, or why it does not answer. */
async function readFindings(agents: Agents, host: Host): Promise<Findings | Error> {
  try {
    return (await getJson(agents.socketPath(host), '/v1/findings')) as Findings;
  } catch (error) {
    return error as Error;
  }
}

/** Adds a line if the findings of a host have changed. */
function note(
  said: Map<string, string[]>,
  { name }: Host,
  ms: number,
  findings: readonly Finding[],
): void {
  const lines = said.get(name) ?? [];
  said.set(name, lines);
  const ids = findings.map(({ id }) => id).join(', ') || 'none';
  if (lines.at(-1)?.endsWith(` s: ${ids}`) !== true)
    lines.push(`${(ms / 1000).toFixed(1)} s: ${ids}`);
}
