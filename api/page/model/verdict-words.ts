import { formatAge } from './format-time.js';
import { plainText } from './plain-text.js';
import { countObservers } from '../../schema/v1/observer-count.js';
import { notProbedText } from '../../schema/v1/not-probed.js';
import type { Summary, ClusterVerdict } from '../../schema/v1/summary.js';

const headlines: Readonly<Record<ClusterVerdict, string>> = {
  ok: 'The cluster is well',
  degraded: 'The cluster is degraded',
  broken: 'The cluster is broken',
  unknown: 'Not known yet',
};

/** Writes a verdict as a headline. A verdict that this page does not know is not good news. */
export function headlineOf(verdict: string): string {
  return Object.hasOwn(headlines, verdict)
    ? headlines[verdict as ClusterVerdict]
    : headlines.unknown;
}

/** Says what the verdict is based on, so that a reader can judge how far to trust it. */
export function verdictBasis(summary: Summary): string {
  const { nodes, observers } = summary;
  const { fresh, all } = countObservers(observers);
  const sentences = [`${fresh} of ${count(all, 'observer')} ${fresh === 1 ? 'reports' : 'report'}`];
  if (observers.stale > 0) sentences.push(`${observers.stale} stale`);
  if (observers.silent > 0) sentences.push(`${observers.silent} silent`);
  const { oldestSeconds } = observers;
  const notProbed = notProbedText(summary.notProbed);
  // The reason of a verdict may say the same.
  const isSaid = notProbed === undefined || summary.reason === notProbed;
  const lacking = isSaid ? '' : `${plainText(notProbed)}. `;
  // A number stays on the line of its unit.
  const age = formatAge((oldestSeconds ?? 0) * 1000).replaceAll(' ', '\u00a0');
  const oldest = oldestSeconds === undefined ? '' : `, the oldest report ${age} old`;
  return `${lacking}${count(nodes.active, 'active node')}. ${sentences.join(', ')}${oldest}.`;
}

/**
 * Why the verdict is not known yet, or what is not known beside the findings, as a sentence;
 * undefined if there is nothing of that kind.
 */
export function notKnownWords({
  verdict,
  reason,
  unexplained = 0,
  unexplainedTargets = 0,
}: Summary): string | undefined {
  if (verdict === 'unknown' && reason !== undefined) {
    return `${reason.charAt(0).toUpperCase()}${plainText(reason.slice(1))}.`;
  }
  const failing = [
    ...(unexplained > 0 ? [count(unexplained, 'failing pair')] : []),
    ...(unexplainedTargets > 0 ? [count(unexplainedTargets, 'failing target')] : []),
  ];
  if (verdict === 'ok' || failing.length === 0) return undefined;
  return `${failing.join(' and ')} more, cause not known yet.`;
}

/** A number and its noun: `1 node`, `2 nodes`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
