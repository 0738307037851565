import type { Finding } from '../../../api/schema/v1/findings.js';
import { alertNameOf } from '../../diagnosis/kinds/kinds.js';
import { escapeControls } from '../../platform/format-value.js';
import { findingSubject } from '../../../api/schema/v1/finding-subject.js';
import type { Notice } from '../notice.js';
import type { PostRequest } from './post.js';
import type { ReceiverSecrets } from './secrets.js';

/** An alert that is not told again ends by itself after this time, as Prometheus has it. */
export const alertHoldsMs = 5 * 60_000;

const maxLabel = 600;
const maxAnnotation = 2000;
/** A test is gone soon. */
const testHoldsMs = 60_000;

/** One alert of the API v2 of Alertmanager. */
export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL?: string;
}

/** The request for an Alertmanager that tells some notices at once. */
export function alertmanagerPost(
  notices: readonly Notice[],
  secrets: ReceiverSecrets,
): PostRequest {
  const alerts = notices.flatMap(alertsOf);
  const url = new URL(secrets.url);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v2/alerts`;
  const headers = ['content-type', 'application/json', ...secrets.headers];
  return { url, ca: secrets.ca, headers, body: JSON.stringify(alerts) };
}

/**
 * A notice as alerts: one of what is so now, and the end of each under which the finding was known before. An Alertmanager
 * knows alerts by their labels, and those say the kind and the severity.
 */
export function alertsOf(notice: Notice): Alert[] {
  const { earlier = [] } = notice;
  const alerts = new Map([[keyOf(alertOf(notice)), alertOf(notice)]]);
  for (const finding of earlier) {
    const ended = alertOf({ ...notice, finding, event: 'closed' });
    if (!alerts.has(keyOf(ended))) alerts.set(keyOf(ended), ended);
  }
  return [...alerts.values()];
}

function keyOf({ labels }: Alert): string {
  return JSON.stringify(labels);
}

function alertOf({ event, cluster, finding, storm, at, by, durationSeconds }: Notice): Alert {
  const atMs = Date.parse(at);
  const later = (ms: number): string => new Date(atMs + ms).toISOString();
  if (event === 'test') {
    return {
      labels: { alertname: 'MeshprobeTest', severity: 'info', cluster: label(cluster) },
      annotations: { summary: 'A test of meshprobe', description: `Sent by ${note(by)}.` },
      startsAt: at,
      endsAt: later(testHoldsMs),
    };
  }
  const isOver = event === 'closed' || storm?.open === 0;
  const since = finding && Date.parse(finding.since) <= atMs ? finding.since : undefined;
  const startsAt = storm
    ? later(-(durationSeconds ?? 0) * 1000)
    : (since ?? later(-(durationSeconds ?? 0) * 1000));
  const times = { startsAt, endsAt: isOver ? at : later(alertHoldsMs) };
  if (storm) {
    return {
      labels: { alertname: 'MeshprobeManyFindings', severity: 'critical', cluster: label(cluster) },
      annotations: {
        summary: `${storm.findings} more findings at once`,
        description: note(storm.texts.join('; ')),
        next_command: 'meshprobe diagnose',
      },
      ...times,
    };
  }
  return finding
    ? { ...alertOfFinding(finding, cluster), ...times }
    : { labels: { alertname: 'Meshprobe' }, annotations: {}, ...times };
}

function alertOfFinding(finding: Finding, cluster: string): Pick<Alert, 'labels' | 'annotations'> {
  const { kind, severity, text, known, docs, next } = finding;
  const [command] = next;
  const alertname = alertNameOf(finding);
  const isCritical = severity === 'broken' && criticalNames.has(alertname);
  return {
    labels: {
      alertname,
      severity: isCritical ? 'critical' : 'warning',
      kind: label(kind),
      subject: label(findingSubject(finding)),
      cluster: label(cluster),
    },
    annotations: {
      summary: note(text),
      ...(known !== undefined && { known: note(known) }),
      ...(docs !== undefined && { runbook_url: docs }),
      ...(command !== undefined && { next_command: note(command) }),
    },
  };
}

const criticalNames: ReadonlySet<string> = new Set([
  'MeshprobeNodeDown',
  'MeshprobePlaneBroken',
  'MeshprobeTargetDown',
]);

function label(text: string): string {
  return escapeControls(text, maxLabel);
}

function note(text: string): string {
  return escapeControls(text, maxAnnotation);
}
