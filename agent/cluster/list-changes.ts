import type { RowChange } from '../model/row-host.js';
import type { Node } from '../model/node.js';

/** What is different, without a time. */
export type ListChange = Pick<RowChange, 'change' | 'about' | 'from' | 'to'>;

/** Labels that stand for what a kubelet says of its host. The others are labels of people. */
const changeOfLabel: Readonly<Record<string, ListChange['change']>> = {
  kernel: 'kernel',
  kubelet: 'node-version',
  runtime: 'node-version',
  os: 'node-version',
};
const cordoned = 'cordoned';
const tainted = 'tainted ';

/**
 * What a node source says of a node that it did not say before: versions, the labels that group nodes, and that somebody means it to be
 * away. Other labels and taints are not kept.
 */
export function listChanges(before: Node, after: Node): ListChange[] {
  return [
    ...labelChanges(before, after),
    ...valueChange('cordoned', yesNo(before), yesNo(after)),
    ...valueChange('taints', taintOf(before), taintOf(after)),
  ];
}

function labelChanges(before: Node, after: Node): ListChange[] {
  const [old, now] = [labelsOf(before), labelsOf(after)];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].flatMap((about) =>
    valueChange(
      Object.hasOwn(changeOfLabel, about) ? (changeOfLabel[about] ?? 'labels') : 'labels',
      old.get(about) ?? '',
      now.get(about) ?? '',
      about,
    ),
  );
}

function labelsOf({ zone, labels = {} }: Node): ReadonlyMap<string, string> {
  return new Map([
    ...(zone === undefined ? [] : [['zone', zone] as const]),
    ...Object.entries(labels),
  ]);
}

function valueChange(
  change: ListChange['change'],
  from: string,
  to: string,
  about = '',
): ListChange[] {
  return from === to ? [] : [{ change, about, from, to }];
}

function yesNo({ lifecycle }: Node): string {
  return lifecycle?.reason === cordoned ? 'yes' : 'no';
}

function taintOf({ lifecycle }: Node): string {
  const { reason = '' } = lifecycle ?? {};
  return reason.startsWith(tainted) ? reason.slice(tainted.length) : '';
}
