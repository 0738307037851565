import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { nodesTo, untilFindings } from './agents.js';
import { kubectl } from './control-plane.js';
import { helm, installChart, makeNamespace, namespace } from './install.js';
import { pods, untilAnswer, untilCondition } from './objects.js';
import { nodeOf } from './place.js';

/** The nodes that every trial begins with. */
export const nodes = nodesTo(4);

/** The values with which the agents write what they find onto the nodes. */
export const withStatus = ['kubernetesStatus.conditions=true', 'kubernetesStatus.events=true'];

/** Prints a line of the table in docs/kubernetes.md. */
export function tried(what: string, seconds: number, more = ''): void {
  process.stdout.write(
    `tried: ${what}: ${seconds.toFixed(1)} s${more === '' ? '' : `, ${more}`}\n`,
  );
}

/** Installs meshprobe if it is not there, and waits until four agents find nothing and every node has its condition. */
export async function prepare(values: readonly string[] = withStatus): Promise<void> {
  expect(nodes.map(({ name, folder }) => [name, existsSync(folder)])).toEqual(
    nodes.map(({ name }) => [name, true]),
  );
  const there = await kubectl(['get', 'namespace', namespace, '--ignore-not-found']);
  if (there === '') await makeNamespace();
  await installChart(values);
  await untilWell();
  if (values !== withStatus) return;
  for (const { name } of nodes) await untilCondition(name, 'True');
}

/** Waits until every agent is there, finds nothing, and has looked at all. */
export async function untilWell(of = nodes): Promise<number> {
  await untilAnswer(
    () => pods(),
    (all) =>
      all.length === 2 * of.length &&
      all.every(({ status }) => status?.containerStatuses?.every(({ ready }) => ready) === true),
    300_000,
  );
  return untilFindings(of, [], 300_000);
}

export async function uninstall(): Promise<void> {
  await helm(['uninstall', 'meshprobe', '--wait', '--timeout=300s']);
  await kubectl(['delete', 'namespace', namespace, '--timeout=300s']);
}

export const node = (number: number) => nodeOf(number);
