import type { Receiver } from './definition/receiver.js';
import type { WatchedFinding } from './watched-findings.js';

/** Whether a receiver is to be told of a finding: by its severity, kind and zones. */
export function isSelected(
  { severities, kinds, zones }: Receiver,
  { finding, zones: about }: Pick<WatchedFinding, 'finding' | 'zones'>,
): boolean {
  const kind: ReadonlySet<string> | undefined = kinds;
  return (
    severities.has(finding.severity) &&
    (kind === undefined || kind.has(finding.kind)) &&
    // What is about the whole cluster is about each zone.
    (zones === undefined || about.length === 0 || about.some((zone) => zones.has(zone)))
  );
}
