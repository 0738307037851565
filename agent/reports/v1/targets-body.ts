import type { UnknownName } from '../../../api/routes/v1/source.js';
import type {
  TargetBody,
  TargetDetail,
  TargetPlane,
  Targets,
  TargetVerdict,
} from '../../../api/schema/v1/targets.js';
import { nearestName } from '../../model/nearest-name.js';
import type { Node } from '../../model/node.js';
import type { Plane } from '../../model/path.js';
import type { Steps } from '../../platform/time-slices.js';
import type { TargetAnswer, TargetPlaneView, TargetView } from '../../targets/views.js';
import { isActive, type ClusterState } from './cluster-state.js';
import { targetProbeText } from './target-probe-text.js';
import { tallyKey, tallyTargets, type TargetTally } from './target-tally.js';
import { lacksEndpoints, noEndpointListed, shownPlanes } from './shown-planes.js';

/** The body of `GET /v1/targets`: this node's own view, and in short that of all observers. */
export function* targetsBody(state: ClusterState): Steps<Targets> {
  const tallies = yield* tallyTargets(state);
  const expected = expectedObservers(state.nodes);
  const { at, certificateWarningMs, nodes } = state;
  const context = { at, certificateWarningMs, nodes, tallies, expected };
  return {
    at: new Date(at).toISOString(),
    targets: state.targets.map((view) => targetBody(view, context)),
  };
}

/** The body of `GET /v1/targets/{name}`. */
export function* targetDetail(
  state: ClusterState,
  name: string,
): Steps<TargetDetail | UnknownName> {
  const view = state.targets.find(({ target }) => target.name === name);
  if (!view) return unknownTarget(state, name);
  const { at, targets } = yield* targetsBody({ ...state, targets: [view] });
  const [target] = targets;
  if (!target) throw new RangeError(`expected the target ${name}`);
  return { ...target, at };
}

/** What is told of a name that no target has. */
export function unknownTarget(
  { targets }: Pick<ClusterState, 'targets'>,
  name: string,
): UnknownName {
  return {
    nearest: nearestName(
      name,
      targets.map(({ target }) => target.name),
    ),
  };
}

interface Context {
  readonly at: number;
  readonly certificateWarningMs: number;
  readonly nodes: readonly Node[];
  readonly tallies: ReadonlyMap<string, TargetTally>;
  readonly expected: Readonly<Record<Plane, number>>;
}

/** How many nodes there are to look from each plane. */
function expectedObservers(nodes: readonly Node[]): Record<Plane, number> {
  const active = nodes.filter(isActive);
  const endpoints = active.filter(({ endpoint }) => endpoint.length > 0);
  return { host: active.length, endpoint: endpoints.length };
}

function targetBody(view: TargetView, context: Context): TargetBody {
  const { target, plan } = view;
  const planes: Partial<Record<Plane, TargetPlane>> = {};
  const shown = shownPlanes(target, context.nodes);
  for (const plane of target.from) {
    const own = view.planes.find((one) => one.plane === plane);
    const tally = context.tallies.get(tallyKey(target.name, plane));
    // The node list of another agent may have endpoints: what they see is not hidden.
    if (!shown.includes(plane) && !isSeen(tally)) continue;
    planes[plane] = planeBody(plane, own, tally, context);
  }
  return {
    name: target.name,
    kind: target.probe.kind,
    probe: targetProbeText(target.probe),
    verdict: verdictOf(Object.values(planes)),
    planes,
    plan: { ...plan, timeoutMs: target.timeoutMs },
  };
}

/**
 * What cannot be reached decides, then what is not known: only what is known to be well is `ok`. A plane that no node has
 * does not count.
 */
function verdictOf(all: readonly TargetPlane[]): TargetVerdict {
  const planes = all.filter(({ reached }) => reached.of + reached.notLooked > 0);
  if (planes.some(({ reached }) => reached.from < reached.of)) return 'broken';
  if (planes.length === 0 || planes.some(({ reached }) => reached.of === 0)) return 'unknown';
  const isDegraded = ({ reached, certificate }: TargetPlane) =>
    reached.lossy + reached.slow > 0 || certificate?.endsSoon === true;
  return planes.some(isDegraded) ? 'degraded' : 'ok';
}

function isSeen(tally: TargetTally | undefined): boolean {
  return tally !== undefined && tally.reached.of + tally.reached.otherDefinition > 0;
}

function planeBody(
  plane: Plane,
  own: TargetPlaneView | undefined,
  tally: TargetTally | undefined,
  context: Context,
): TargetPlane {
  const { from = 0, of = 0, lossy = 0, slow = 0, otherDefinition = 0 } = tally?.reached ?? {};
  const { notFrom = [], p50Ns, p99Ns } = tally ?? {};
  const ownPart = ownBody(own);
  const isFromNowhere =
    plane === 'endpoint' && ownPart.state === 'unknown' && lacksEndpoints(context.nodes);
  return {
    ...ownPart,
    ...(isFromNowhere && { reason: noEndpointListed }),
    reached: {
      from,
      of,
      lossy,
      slow,
      notLooked: Math.max(context.expected[plane] - of, 0),
      ...(otherDefinition > 0 && { otherDefinition }),
    },
    notFrom: [...notFrom],
    ...(p50Ns !== undefined && { p50Ns: Math.round(p50Ns) }),
    ...(p99Ns !== undefined && { p99Ns: Math.round(p99Ns) }),
    ...(own && answerBody(own.answer, context)),
  };
}

type OwnField =
  'state' | 'since' | 'reason' | 'rtt' | 'loss' | 'failure' | 'failureKind' | 'servers';

function ownBody(own: TargetPlaneView | undefined): Pick<TargetPlane, OwnField> {
  const reason = whyTargetUnknown(own);
  if (!own) return { state: 'unknown', ...(reason !== undefined && { reason }) };
  const { state: known, isLossy, isSlow, rtts, loss, servers } = own;
  const { state, sinceAt, failure, failureKind, rttNs } = known;
  const { loss1m, loss10m, loss1h } = loss;
  const hasLoss = loss1m !== undefined || loss10m !== undefined || loss1h !== undefined;
  return {
    state: state === 'reachable' ? (isLossy ? 'lossy' : isSlow ? 'slow' : state) : state,
    since: new Date(sinceAt).toISOString(),
    ...(reason !== undefined && { reason }),
    ...(rtts && {
      rtt: {
        ...(rttNs !== undefined && { lastNs: Math.round(rttNs) }),
        p50Ns: rtts.p50,
        ...(rtts.p95 !== undefined && { p95Ns: rtts.p95 }),
        ...(rtts.p99 !== undefined && { p99Ns: Math.round(rtts.p99) }),
      },
    }),
    ...(hasLoss && {
      loss: {
        ...(loss1m !== undefined && { loss1m }),
        ...(loss10m !== undefined && { loss10m }),
        ...(loss1h !== undefined && { loss1h }),
      },
    }),
    ...(failure !== undefined && { failure }),
    ...(failureKind !== undefined && { failureKind }),
    ...(servers.length > 0 && {
      servers: servers.map(({ server, state: ofServer }) => ({
        server,
        state: ofServer.state,
        ...(ofServer.failure !== undefined && { failure: ofServer.failure }),
      })),
    }),
  };
}

/** Why this agent does not know from a plane how a target is; undefined if it does. */
export function whyTargetUnknown(own: TargetPlaneView | undefined): string | undefined {
  if (!own) return 'not probed yet';
  const { unknownBecause, state } = own;
  const unclear = state.state === 'unknown' ? 'no clear result for long' : undefined;
  const reason = state.lastProbedAt === undefined ? 'not probed yet' : unclear;
  return unknownBecause ?? state.notSent ?? reason;
}

function answerBody(
  answer: TargetAnswer,
  { at, certificateWarningMs }: Context,
): Partial<TargetPlane> {
  const { addresses, ttlSeconds, status, answeredBy, certificateEndsAt } = answer;
  return {
    ...(addresses && { addresses: [...addresses] }),
    ...(ttlSeconds !== undefined && { ttlSeconds }),
    ...(status !== undefined && { status }),
    ...(answeredBy !== undefined && { answeredBy }),
    ...(certificateEndsAt !== undefined && {
      certificate: {
        endsAt: new Date(certificateEndsAt).toISOString(),
        endsSoon: certificateEndsAt - at < certificateWarningMs,
      },
    }),
  };
}
