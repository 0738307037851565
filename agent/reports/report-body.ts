import { arch, platform, release } from 'node:os';
import type { EventHistory } from '../../api/routes/v1/source.js';
import type { DaemonHealth } from '../../api/schema/daemon-health.js';
import type { Findings } from '../../api/schema/v1/findings.js';
import { reportVersion, type Report } from '../../api/schema/v1/report.js';
import type { Summary } from '../../api/schema/v1/summary.js';
import type { Targets } from '../../api/schema/v1/targets.js';
import { version } from '../../api/version.js';
import type { Node } from '../model/node.js';

/** What a report is written from. */
export interface ReportSources {
  readonly localName: string;
  /** Each setting as it was given, without any secret. */
  readonly settings: Readonly<Record<string, { readonly value: unknown; readonly origin: string }>>;
  readonly health: () => DaemonHealth;
  readonly summary: () => Promise<Summary>;
  readonly findings: () => Findings;
  readonly targets: () => Promise<Targets>;
  readonly nodes: () => readonly Node[];
  readonly events: EventHistory;
  /** What the findings are made from, as one JSON object in pieces. */
  readonly diagnosis: () => Iterable<string>;
  /** The body of `GET /v1beta/status`. */
  readonly status: () => Promise<Uint8Array>;
}

/** How many events are written at a stretch. */
const eventsPerPiece = 256;

/**
 * Prepares a report of all that the agent knows. Resolves with its JSON in pieces. Each piece is
 * made when it is asked for, within some milliseconds.
 */
export async function reportBody(sources: ReportSources): Promise<Iterable<string | Uint8Array>> {
  const [summary, targets] = [await sources.summary(), await sources.targets()];
  return pieces(sources, summary, targets, await sources.status());
}

function* pieces(
  sources: ReportSources,
  summary: Summary,
  targets: Targets,
  status: Uint8Array,
): Generator<string | Uint8Array, void> {
  const head: Omit<Report, 'nodes' | 'diagnosis' | 'events' | 'status'> = {
    reportVersion,
    at: new Date().toISOString(),
    node: sources.localName,
    versions: {
      meshprobe: version,
      node: process.version,
      platform: platform(),
      kernel: release(),
      arch: arch(),
    },
    settings: sources.settings,
    health: sources.health(),
    summary,
    findings: sources.findings(),
    targets,
  };
  yield JSON.stringify(head).slice(0, -1);
  let before = ',"nodes":[';
  for (const node of sources.nodes()) {
    yield before + JSON.stringify(node);
    before = ',';
  }
  yield before === ',' ? '],"diagnosis":' : `${before}],"diagnosis":`;
  yield* sources.diagnosis();
  yield ',"events":[';
  yield* eventTexts(sources.events);
  yield '],"status":';
  yield status;
  yield '}';
}

function* eventTexts(history: EventHistory): Generator<string, void> {
  const { lastId } = history;
  let { events } = history.after(0, eventsPerPiece);
  let separator = '';
  for (;;) {
    // Events that come while this is written are no part of it.
    const known = events.filter(({ id }) => id <= lastId);
    const last = known.at(-1);
    if (!last) return;
    yield separator + known.map(({ json }) => json).join(',');
    separator = ',';
    ({ events } = history.after(last.id, eventsPerPiece));
  }
}
