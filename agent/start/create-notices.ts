import type { Logger } from 'pino';
import type { Notices as NoticesBody, NoticeTest } from '../../api/schema/v1/notices.js';
import type { V1Bodies } from '../cluster/v1-bodies.js';
import type { Finding } from '../diagnosis/nouns/finding.js';
import type { RowReceiver } from '../model/row-notices.js';
import { Notices, type NoticeSituation } from '../notices/notices.js';
import { Receivers } from '../notices/receivers.js';
import { renewAlerts, sendNotice } from '../notices/sending/send-notice.js';
import { testReceivers } from '../notices/test-receivers.js';
import { systemClock } from '../platform/clock.js';
import type { Problems } from '../platform/problems.js';
import { nodesOf } from '../reports/v1/finding-nodes.js';
import type { ClusterOverview } from '../reports/v1/cluster-state.js';
import type { Config } from '../config/config.js';
import type { Mesh } from './create-mesh.js';
import type { NoticeCounts } from '../reports/metrics-view.js';
import type { Stops } from './stops.js';
import { turnSituation, type TurnSources } from './turn-situation.js';

export interface CreateNoticesOptions extends Omit<TurnSources, 'config'> {
  readonly config: Config;
  readonly logger: Logger;
  readonly problems: Problems;
  readonly mesh: Mesh;
  readonly v1: Pick<V1Bodies, 'summary' | 'findings'>;
}

/** What tells people and programs of findings. */
export interface AgentNotices {
  /** Sends a test to each receiver. */
  test(signal: AbortSignal): Promise<NoticeTest>;
  /** What the own row tells. */
  row(): readonly RowReceiver[];
  /** The body of `GET /v1/notices`. */
  body(): Promise<NoticesBody>;
  /** What this agent sent to each receiver. */
  counts(): readonly NoticeCounts[];
}

/** Starts to tell of findings; undefined where nobody is to be told. */
export function createNotices(
  options: CreateNoticesOptions,
  stops: Stops,
): AgentNotices | undefined {
  const { config, logger, problems, v1, mesh, peers } = options;
  const { notifyFile, localName, clusterName } = config;
  if (notifyFile === undefined) return undefined;
  const receivers = new Receivers({
    path: notifyFile,
    onProblem(reason) {
      if (reason === undefined) problems.clear('notify-file');
      else if (problems.set('notify-file', `${reason}; the last good receivers stay`)) {
        logger.warn({ reason }, 'the notify file is bad; the last good one stays');
      }
    },
  });
  const stopping = new AbortController();
  stops.add(() => stopping.abort());
  const verdict = async (): Promise<string> => (await v1.summary()).verdict;
  const notices = new Notices({
    cluster: clusterName,
    clock: systemClock,
    logger,
    problems,
    situation: () => situationOf(options),
    receivers: () => receivers.read(),
    verdict,
    send: sendNotice,
    renew: renewAlerts,
    askForRowOf: (peer) => mesh.askForRowOf(peer),
    onRowChange: () => mesh.renewRow(),
  });
  stops.add(() => notices.stop());
  stops.add(
    peers.onRow(({ observer, notices: sent }, bodyAgeMs) => {
      if (sent) notices.hear(observer, sent, bodyAgeMs);
    }),
  );
  return {
    row: () => notices.row(),
    async body() {
      // An agent that has just started has not looked yet, and that nobody is told would be wrong.
      await notices.readReceivers();
      return notices.body();
    },
    counts: () => notices.counts(),
    async test(signal) {
      const at = new Date().toISOString();
      const common = { cluster: clusterName, verdict: await verdict(), at, by: localName };
      const ending = AbortSignal.any([signal, stopping.signal]);
      return testReceivers(await receivers.read(), common, ending);
    },
  };
}

function situationOf(options: CreateNoticesOptions): NoticeSituation {
  const { cluster, v1 } = options;
  const { own, ...turn } = turnSituation(options);
  const overview = cluster.overview();
  // Most of the time nothing is open, and the body is not needed. What it has no room for is open all the same.
  const findings = overview.findings.length === 0 ? [] : v1.findings(Infinity).findings;
  const zones = new Map(overview.nodes.map(({ name, zone }) => [name, zone]));
  const listed = new Set(own.map(({ name }) => name));
  const named = overview.findings.flatMap((one) => nodesOf(one, overview.standsFor));
  return {
    ...turn,
    wallMs: systemClock.wallMs(),
    open: findings.map((finding) => ({
      finding,
      zones: zonesOf(finding as Finding, zones, overview),
    })),
    isStillPart: (gone) => overview.findings.some((one) => isPartOf(gone, one, overview)),
    away: new Set(named.filter((name) => listed.has(name))),
  };
}

/** The zones that a finding is about; none: the whole cluster. */
function zonesOf(
  finding: Finding,
  zoneOf: ReadonlyMap<string, string | undefined>,
  { standsFor }: Pick<ClusterOverview, 'standsFor'>,
): string[] {
  const { node, pair = [], zones = [] } = finding;
  const causes = standsFor(finding);
  const named = causes.flatMap(({ type, names }) => (type === 'zones' ? names : []));
  const nodes = causes.flatMap(({ type, names }) => (type === 'zones' ? [] : names));
  const ofNodes = [node ?? [], pair, nodes].flat().flatMap((name) => zoneOf.get(name) ?? []);
  return [...new Set([...zones, ...named, ...ofNodes])];
}

/** Whether a finding that had its own is one of those that another finding stands for now. */
function isPartOf(
  { kind, node, pair, zones }: Pick<Finding, 'node' | 'pair' | 'zones'> & { readonly kind: string },
  many: Finding,
  { standsFor }: Pick<ClusterOverview, 'standsFor'>,
): boolean {
  if (many.count === undefined || many.kind !== kind) return false;
  const names = node === undefined ? (pair ?? zones ?? []) : [node];
  return standsFor(many).some(
    (cause) =>
      cause.names.length === names.length && names.every((name) => cause.names.includes(name)),
  );
}
