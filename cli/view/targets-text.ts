import { formatDurationNs } from '../../api/duration.js';
import type { TargetBody, Targets } from '../../api/schema/v1/targets.js';
import { countText } from './age-text.js';
import type { Paint } from './colour.js';
import { escapeText } from './escape.js';
import { alignColumns } from './tab-writer.js';
import { notFromText, planesOf, reachedText, verdictColours } from './target-planes.js';

/** The line of a target names so many of the nodes that do not reach it. */
const namesPerLine = 3;
const noValue = '-';

/** Prints one line for each target and plane, below a line that counts the targets by their verdict. */
export function renderTargets({ targets }: Targets, paint: Paint): string {
  if (targets.length === 0) {
    return 'No targets: the agent was given none (--targets-file, and --targets auto on Kubernetes).\n';
  }
  const head = ['Name', 'Plane', 'Verdict', 'State', 'Reached from', 'p50', 'p99', 'Not from'];
  const table = alignColumns([head.join('\t'), ...targets.flatMap(linesOf)]);
  const reasons = reasonLines(targets);
  return `${titleOf(targets, paint)}\n\n${table}${reasons.length > 0 ? '\n' : ''}${reasons.join('')}`;
}

/** Why nobody has looked at targets from a plane, as far as this node knows: one line for each reason. */
function reasonLines(targets: readonly TargetBody[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const target of targets) {
    for (const [plane, { state, reached, reason }] of planesOf(target)) {
      if (state !== 'unknown' || reached.of > 0 || reason === undefined) continue;
      const why = `from the ${plane} plane: ${escapeText(reason)}`;
      byReason.set(why, [...(byReason.get(why) ?? []), escapeText(target.name)]);
    }
  }
  return [...byReason].map(([why, names]) => `Not known ${why} (${names.join(', ')})\n`);
}

function titleOf(targets: readonly TargetBody[], paint: Paint): string {
  const counts = new Map<TargetBody['verdict'], number>();
  for (const { verdict } of targets) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const parts = [...counts].map(([verdict, count]) =>
    paint(verdictColours[verdict], `${count} ${verdict}`),
  );
  return `${countText(targets.length, 'target')}: ${parts.join(', ')}`;
}

function linesOf(target: TargetBody): string[] {
  const durationOf = (ns: number | undefined) =>
    ns === undefined ? noValue : formatDurationNs(ns);
  return planesOf(target).map(([plane, body]) =>
    [
      escapeText(target.name),
      plane,
      target.verdict,
      body.state,
      reachedText(body),
      durationOf(body.p50Ns),
      durationOf(body.p99Ns),
      notFromText(body, namesPerLine) || noValue,
    ].join('\t'),
  );
}
