import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Finding, Findings } from '../../../api/schema/v1/findings.js';
import { getJson } from '../../lab/lib/unix-socket.js';
import { nodeOf, type ClusterNode } from './place.js';

/** What an agent answers on its socket, which is in a folder of its node. */
export function ask(node: ClusterNode, path: string): Promise<unknown> {
  return getJson(join(node.folder, 'fs/run/meshprobe/health.sock'), path);
}

export async function findingsOf(node: ClusterNode): Promise<readonly Finding[]> {
  return ((await ask(node, '/v1/findings')) as Findings).findings;
}

/** What stands for a finding in what is expected: its kind and what it is about. */
function brief(finding: Finding): string {
  const { kind, node, target, pair, plane } = finding;
  const about = [target, node, pair?.join(' ')].filter((part) => part !== undefined);
  const where = about.join(' ').replaceAll('default/', '');
  return `${kind} ${where}${plane === undefined ? '' : ` ${plane}`}`.trim();
}

/**
 * Waits until the agents of these nodes all say exactly these findings, in any order. What is slow and what loses probes
 * is left out: trials share a machine with their cluster.
 * @param expected as `brief` makes them, or a test of them
 * @returns how long it took, in seconds
 * @throws Error with what each agent said last
 */
export async function untilFindings(
  nodes: readonly ClusterNode[],
  expected: readonly string[] | ((found: readonly string[]) => boolean),
  deadlineMs = 300_000,
): Promise<number> {
  const startedMs = performance.now();
  const isExpected =
    typeof expected === 'function'
      ? expected
      : (found: readonly string[]) =>
          JSON.stringify(found) === JSON.stringify([...expected].sort());
  for (;;) {
    const all = await Promise.all(nodes.map((node) => said(node)));
    if (all.every((found) => Array.isArray(found) && isExpected(found)))
      return secondsSince(startedMs);
    if (performance.now() - startedMs > deadlineMs) {
      const lines = all.map((found, index) => `  ${nodes[index]?.name}: ${JSON.stringify(found)}`);
      const what = typeof expected === 'function' ? 'what was expected' : JSON.stringify(expected);
      throw new Error(
        `not all agents said ${what} in ${deadlineMs / 1000} s:\n${lines.join('\n')}`,
      );
    }
    await delay(500);
  }
}

/** Every finding with its sentence, for one to look at. */
export async function sentences(node: ClusterNode): Promise<string[]> {
  return (await findingsOf(node)).map(({ text }) => text);
}

/** A machine that has too little processor time for four nodes is slow and loses probes, and the agents say so. */
const ofTheMachine = ['slow', 'lossy', 'target-slow', 'target-lossy'];

async function said(node: ClusterNode): Promise<string[] | string> {
  try {
    const found = await findingsOf(node);
    return found
      .filter(({ kind }) => !ofTheMachine.includes(kind))
      .map(brief)
      .sort();
  } catch (error) {
    return (error as Error).message;
  }
}

export function secondsSince(startedMs: number): number {
  return (performance.now() - startedMs) / 1000;
}

/** The nodes from the first to this one. */
export function nodesTo(last: number): ClusterNode[] {
  return Array.from({ length: last }, (_, index) => nodeOf(index + 1));
}

export function without(nodes: readonly ClusterNode[], node: ClusterNode): ClusterNode[] {
  return nodes.filter(({ name }) => name !== node.name);
}
