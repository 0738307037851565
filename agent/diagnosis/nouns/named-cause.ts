import type { Cause, Trouble } from './cause.js';
import { groupText } from './node-groups.js';
import { bothGroups, nodesAt, type Subject } from './subject.js';
import type { ClusterIndex } from './cluster-index.js';

/** A cause by names, so that it can be recognised when the node list has changed. */
export interface NamedCause {
  readonly trouble: Trouble;
  readonly channels: number;
  readonly type: Subject['type'];
  /** The names of its nodes or zones, or what those of its groups have in common: none for the cluster. */
  readonly names: readonly string[];
  /** The names of the nodes of its group. */
  readonly nodes?: readonly string[] | undefined;
  /** The target that it is about, or a server of it; absent: it is about paths. */
  readonly target?: string;
}

/** Names a cause. */
export function nameCause({ trouble, channels, subject }: Cause, index: ClusterIndex): NamedCause {
  const { type } = subject;
  const names = namesOf(subject, index);
  if (type !== 'group') return { trouble, channels, type, names };
  const nodes = nodesAt(subject, index).map((node) => index.nodes[node]?.name ?? '');
  return { trouble, channels, type, names, nodes };
}

/** The names of a subject's nodes or zones, or what those of its group have in common. */
export function namesOf(subject: Subject, index: ClusterIndex): string[] {
  const { nodes } = index;
  switch (subject.type) {
    case 'cluster':
      return [];
    case 'zones':
    case 'groups':
      return bothGroups(subject, index).flatMap((group) =>
        group ? (subject.type === 'zones' ? group.name : groupText(group)) : [],
      );
    case 'group': {
      const group = index.groups[subject.group];
      return group ? [groupText(group)] : [];
    }
    case 'node':
      return [nodes[subject.node]?.name ?? ''];
    case 'pair':
      return [nodes[subject.from]?.name ?? '', nodes[subject.to]?.name ?? ''];
  }
}

/** The subject of a named cause; undefined if its nodes or zones are listed no more. */
export function subjectOf({ type, names }: NamedCause, index: ClusterIndex): Subject | undefined {
  const [first = '', second] = names;
  switch (type) {
    case 'cluster':
      return { type };
    case 'zones':
    case 'groups': {
      const numbers = type === 'zones' ? index.zoneNumberOf : index.groupNumberOf;
      const [group, other] = names.map((name) => numbers.get(name));
      if (group === undefined || (second !== undefined && other === undefined)) return undefined;
      return { type, group, other };
    }
    case 'group': {
      const group = index.groupNumberOf.get(first);
      return group === undefined ? undefined : { type, group };
    }
    case 'node': {
      const node = index.numberOf.get(first);
      return node === undefined ? undefined : { type, node };
    }
    case 'pair': {
      const [from, to] = [index.numberOf.get(first), index.numberOf.get(second ?? '')];
      return from === undefined || to === undefined ? undefined : { type, from, to };
    }
  }
}

/** A named cause whose nodes or zones are still listed. */
export interface PlacedCause extends NamedCause {
  readonly subject: Subject;
}

/** The causes whose nodes or zones are still listed. */
export function placed(causes: readonly NamedCause[], index: ClusterIndex): PlacedCause[] {
  return causes.flatMap((cause) => {
    const subject = subjectOf(cause, index);
    return subject ? { ...cause, subject } : [];
  });
}
