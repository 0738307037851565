import { formatDurationNs } from '../../api/duration.js';
import type { TargetDetail } from '../../api/schema/v1/targets.js';
import { durationText, secondsText } from './age-text.js';
import type { Paint } from './colour.js';
import { escapeText } from './escape.js';
import { percent } from './loss-text.js';
import { alignColumns } from './tab-writer.js';
import {
  notFromText,
  planesOf,
  reachedText,
  verdictColours,
  type OnePlane,
} from './target-planes.js';

/** Names of nodes that do not reach it. */
const mostNames = 12;

/** Prints all that is known of one target. */
export function renderTarget(target: TargetDetail, paint: Paint): string {
  const { name, kind, probe, verdict, plan, at } = target;
  const title = `${escapeText(name)} is ${paint(verdictColours[verdict], verdict)}`;
  const plans = [
    `Probe:\t${kind} ${escapeText(probe)}`,
    `Plan:\t${planText(plan)}`,
    `Time to detect:\t${detectText(plan)}`,
  ];
  const planes = planesOf(target).flatMap((plane) => ['', ...planeLines(plane, at)]);
  return `${title}\n\n${alignColumns([...plans, ...planes])}`;
}

const msText = (ms: number) => formatDurationNs(Math.round(ms) * 1e6);

function planText({ intervalMs, timeoutMs, budgetPerSecond }: TargetDetail['plan']): string {
  return `every ${msText(intervalMs)} from each plane of each node, timeout ${msText(timeoutMs)}, at most ${budgetPerSecond} probes a second of all nodes`;
}

function detectText({ timeToDetectMs, timeToDetectWithHintsMs }: TargetDetail['plan']): string {
  const alone = `${msText(timeToDetectMs)} where one node fails`;
  if (timeToDetectWithHintsMs === undefined) return alone;
  return `${alone}, ${msText(timeToDetectWithHintsMs)} where all do`;
}

function planeLines([plane, body]: OnePlane, at: string): string[] {
  const { since, reason, failure, rtt, loss, servers, addresses, ttlSeconds } = body;
  const { status, answeredBy, certificate, p50Ns, p99Ns, reached } = body;
  const age = since === undefined ? undefined : durationText(since, at);
  const notFrom = notFromText(body, mostNames);
  const { otherDefinition = 0, lossy, slow } = reached;
  return [
    plane === 'host' ? 'Host plane' : 'Endpoint plane',
    line('This node', stateText(body.state, reason, age)),
    line('Reached from', reachedText(body)),
    line('Not from', notFrom),
    line('Lossy or slow from', lossy + slow > 0 ? `${lossy} lossy, ${slow} slow` : ''),
    line(
      'Others',
      otherDefinition > 0 ? `${otherDefinition} probe something else by this name` : '',
    ),
    line('Last failure', failure === undefined ? '' : escapeText(failure)),
    line('RTT of this node', rtt ? rttText(rtt) : ''),
    line('RTT of all nodes', rttText({ p50Ns, p99Ns })),
    line('Losses', loss ? lossText(loss) : ''),
    line('Servers', (servers ?? []).map(serverText).join(', ')),
    line('Addresses', (addresses ?? []).map(escapeText).join(', ')),
    line('TTL', ttlSeconds === undefined ? '' : secondsText(ttlSeconds)),
    line('Status', status === undefined ? '' : String(status)),
    line('Answered by', answeredBy === undefined ? '' : escapeText(answeredBy)),
    line('Certificate', certificate ? certificateText(certificate, at) : ''),
  ].filter((text) => text !== '');
}

function line(title: string, text: string): string {
  return text === '' ? '' : `  ${title}:\t${text}`;
}

function stateText(state: string, reason: string | undefined, age: string | undefined): string {
  const why = reason === undefined ? '' : ` (${escapeText(reason)})`;
  return `${state}${why}${age === undefined ? '' : ` for ${age}`}`;
}

type Rtt = NonNullable<OnePlane[1]['rtt']>;

function rttText({ lastNs, p50Ns, p95Ns, p99Ns }: Partial<Record<keyof Rtt, unknown>>): string {
  const part = (title: string, ns: unknown) =>
    typeof ns === 'number' ? [`${title} ${formatDurationNs(ns)}`] : [];
  return [
    ...part('last', lastNs),
    ...part('p50', p50Ns),
    ...part('p95', p95Ns),
    ...part('p99', p99Ns),
  ].join(', ');
}

function lossText({ loss1m, loss10m, loss1h }: NonNullable<OnePlane[1]['loss']>): string {
  const part = (share: number | undefined, window: string) =>
    share === undefined ? [] : [`${percent(share)} in ${window}`];
  return [...part(loss1m, '1m'), ...part(loss10m, '10m'), ...part(loss1h, '1h')].join(', ');
}

type Server = NonNullable<OnePlane[1]['servers']>[number];

function serverText({ server, state, failure }: Server): string {
  const why = failure === undefined ? '' : ` (${escapeText(failure)})`;
  return `${escapeText(server)} ${state}${why}`;
}

function certificateText(
  { endsAt, endsSoon }: NonNullable<OnePlane[1]['certificate']>,
  at: string,
): string {
  const left = Date.parse(endsAt) - Date.parse(at);
  const days = Math.floor(Math.abs(left) / 86_400_000);
  const when = left < 0 ? `${days} days ago` : `in ${days} days`;
  return `${left < 0 ? 'ended' : 'ends'} ${escapeText(endsAt)} (${when})${endsSoon ? ', soon' : ''}`;
}
