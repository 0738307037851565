import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { nameableKinds } from '../../faults/kinds.js';
import type { Fault, Layout, Subject } from '../../faults/fault.js';
import { looksSame, type Seen } from './looks-same.js';

/**
 * Why nobody can know that the findings are wrong; undefined if one can. They cannot be told from
 * the truth if the faults that they name, in place of the missed ones, make exactly the same rows:
 * the same failures of the same age, the same silent nodes, the same GETs that arrive. An answer of
 * more causes than were made is never as good.
 */
export function equalReason(
  seen: Seen,
  missed: readonly Fault[],
  extra: readonly Finding[],
): string | undefined {
  if (extra.length > missed.length || extra.length > 3) return undefined;
  const { made, conditions, layout, view } = seen;
  const troublesOf = (faults: readonly Fault[]) =>
    conditions.troubles.filter(({ trouble }) => faults.some((fault) => fault.trouble === trouble));
  const kept = troublesOf(made.filter((fault) => !missed.includes(fault)));
  const ages = troublesOf(missed).map(({ ageS }) => ageS);
  const named = extra.map((finding) =>
    subjectsOf(finding, layout).flatMap((subject) =>
      nameableKinds
        .filter(({ on, loses }) => on === subject.type && loses === undefined)
        .map((kind) => kind.make(layout, subject, 0))
        .filter((fault) => fault.isNamedBy(finding, view)),
    ),
  );
  for (const others of choices(named, ages)) {
    const troubles = [
      ...kept,
      ...others.map(({ fault, ageS }) => ({ trouble: fault.trouble, ageS })),
    ];
    if (!looksSame(withNodesOf(seen, others), troubles)) continue;
    const truth = missed.map(({ what }) => what).join(' + ');
    const answer = others.map(({ fault }) => fault.what).join(' + ');
    return `${truth} looks like ${answer}${circumstance(seen, missed)}`;
  }
  return undefined;
}

/** What is seen, looked at from the nodes of some faults too. */
function withNodesOf(seen: Seen, others: readonly { readonly fault: Fault }[]): Seen {
  const { standsForAll } = seen;
  if (!standsForAll) return seen;
  // Zones are among the nodes that stand for all.
  const named = others.flatMap(({ fault: { nodes } }) => (nodes.length > 2 ? [] : nodes));
  return { ...seen, standsForAll: [...new Set([...standsForAll, ...named])] };
}

/** One fault for each finding, each with one of the ages. */
function* choices(
  named: readonly (readonly Fault[])[],
  ages: readonly number[],
): Generator<readonly { readonly fault: Fault; readonly ageS: number }[]> {
  const [first, ...rest] = named;
  if (!first) {
    yield [];
    return;
  }
  for (const others of choices(rest, ages)) {
    for (const fault of first) for (const ageS of ages) yield [{ fault, ageS }, ...others];
  }
}

/** The subjects that a finding may mean. Two zones, and two nodes, in either order. */
function subjectsOf({ node, pair, zones }: Finding, layout: Layout): Subject[] {
  const nodeOf = (name: string) => layout.names.indexOf(name);
  if (node !== undefined) return [{ type: 'node', node: nodeOf(node) }];
  if (pair) {
    const [a, b] = [nodeOf(pair[0]), nodeOf(pair[1])];
    return [
      { type: 'pair', from: a, to: b },
      { type: 'pair', from: b, to: a },
    ];
  }
  if (!zones) return [{ type: 'cluster' }];
  const [from = -1, to] = zones.map((zone) => layout.zones.indexOf(zone));
  if (to === undefined) return [{ type: 'zone', zone: from }];
  return [
    { type: 'zones', from, to },
    { type: 'zones', from: to, to: from },
  ];
}

function circumstance({ made, view, layout }: Seen, missed: readonly Fault[]): string {
  const hiding = made.filter((fault) => fault.nodes.length === 0 && !missed.includes(fault));
  if (hiding.length > 0) return `, beside ${hiding.map(({ what }) => what).join(' and ')}`;
  const rows = layout.names.filter((name) => view.hasRow(name)).length;
  if (rows < layout.names.length) return `, with ${rows === 1 ? 'one row' : 'rows missing'}`;
  return '';
}
