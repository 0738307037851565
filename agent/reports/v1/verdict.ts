import type { ClusterVerdict } from '../../../api/schema/v1/summary.js';
import { notProbedText } from '../../../api/schema/v1/not-probed.js';
import { channels } from '../../model/channel.js';
import { countOf } from '../../model/count-of.js';
import type { ProtocolView } from '../../results/snapshot.js';
import { isActive, type ClusterState } from './cluster-state.js';
import { ownPathsOf, type OwnPaths } from './own-paths.js';
import { unknownTargets, type UnknownTarget } from './unknown-targets.js';

/** The cluster in one word, and why it is not `ok`. */
export interface Verdict {
  readonly verdict: ClusterVerdict;
  /** One sentence without a full stop; absent if the verdict is `ok`. */
  readonly reason?: string;
}

/** Some reasons take a snapshot of all paths, so they are made when they are asked for. */
interface Judgement {
  readonly verdict: ClusterVerdict;
  readonly reason?: () => string;
}

/** Judges the cluster, and says why. */
export function verdictOf(state: ClusterState): Verdict {
  const { verdict, reason } = judge(state, ownPathsOf(state));
  return { verdict, ...(reason && { reason: reason() }) };
}

/** Judges the cluster without what a reason costs. */
export function verdictWordOf(state: ClusterState, own: OwnPaths): ClusterVerdict {
  return judge(state, own).verdict;
}

/**
 * `ok` is a claim that needs knowledge: a node list with the agent's own node in
 * it, a first sweep, other observers, both protocols (unless one is switched off), own paths of which most
 * are known, somebody who knows each target, and a finding for each failing path and target. What was known before
 * the process stood still is none.
 */
function judge(state: ClusterState, own: OwnPaths): Judgement {
  const { nodes, isSwept, findings, localName, observers, missedObservers } = state;
  const unknown = (reason: () => string): Judgement => ({ verdict: 'unknown', reason });
  if (nodes.length === 0) return unknown(() => whyNoNodes(state));
  const active = nodes.filter(isActive);
  if (!isSwept) {
    return unknown(() => `the first probes of ${countOf(active.length, 'node')} are under way`);
  }
  if (findings.some(({ severity }) => severity === 'broken')) {
    return { verdict: 'broken', reason: () => worstOf(findings) };
  }
  if (!nodes.some(({ name }) => name === localName)) {
    return unknown(() => `this agent's node ${localName} is not in the node list`);
  }
  if (findings.length > 0) return { verdict: 'degraded', reason: () => worstOf(findings) };
  if (state.isSettling === true) {
    return unknown(() => 'this agent was stopped for a while and looks at all nodes anew');
  }
  const hasPeers = active.some(({ name }) => name !== localName);
  // An agent that exchanges nothing (--mesh off) counts no observers at all, not even silent ones.
  if (hasPeers && observers.fresh + observers.stale === 0 && observers.silent > 0) {
    return unknown(() => whyUnheard(state));
  }
  // Who never told may have no agent. Who told once, and no more, is missed.
  if (observers.fresh < missedObservers) {
    const heard = observers.fresh + missedObservers;
    return unknown(
      () => `only ${observers.fresh} of ${heard} other agents still tell what they see`,
    );
  }
  const unexplained = state.unexplained > 0 ? state.unexplained : own.failing();
  const failing = [
    ...(unexplained > 0 ? [countOf(unexplained, 'failing pair')] : []),
    ...(state.unexplainedTargets > 0 ? [countOf(state.unexplainedTargets, 'failing target')] : []),
  ];
  if (failing.length > 0) return unknown(() => `${failing.join(' and ')}, cause not known yet`);
  const notProbed = notProbedText(state.notProbed.filter(({ switchedOff }) => !switchedOff));
  if (notProbed !== undefined) return unknown(() => notProbed);
  const notKnown =
    whyLacking(state) ??
    whyNotKnown(state, own) ??
    own.whySecondAddresses() ??
    whyTargets(unknownTargets(state));
  return notKnown === undefined ? { verdict: 'ok' } : unknown(notKnown);
}

function whyNoNodes({ isListed, nodeSourceProblem: problem }: ClusterState): string {
  if (!isListed) return problem ?? 'there is no node list yet';
  const empty = 'the node list is empty, so no node is probed';
  return problem === undefined ? empty : `${empty}; ${problem}`;
}

/** Says which active node nobody knows, and why this agent does not. */
function whyLacking(state: ClusterState): (() => string) | undefined {
  const { notKnown } = state;
  const [first] = notKnown;
  if (!first) return undefined;
  const { node, plane } = first;
  return () => {
    const path = state.snapshot.nodes.find(({ name }) => name === node)?.[plane][0];
    const why = path && (path.http.state.notSent ?? path.icmp.state.notSent);
    const others = new Set(notKnown.map((one) => one.node)).size - 1;
    const more = others > 0 ? `, nor of ${countOf(others, 'other node')}` : '';
    return `no agent knows whether the ${plane} plane of ${node} works${more}${why === undefined ? '' : `: probes could not be sent (${why})`}`;
  };
}

/** Says by which channel this agent knows less than half of its paths, though it probes them. */
function whyNotKnown(state: ClusterState, { plan, counts }: OwnPaths): (() => string) | undefined {
  for (const { plane, protocol } of channels) {
    if (!plan[protocol]) continue;
    const { reachable, unreachable, unknown } = counts[plane][protocol];
    if (unknown <= reachable + unreachable) continue;
    const paths = reachable + unreachable + unknown;
    const isHit = ({ state: { state, notSent } }: ProtocolView) =>
      state === 'unknown' && notSent !== undefined;
    return () => {
      const { nodes } = state.snapshot;
      const views = nodes.filter(isActive).flatMap((view) => view[plane].slice(0, 1));
      const hit = views.find((view) => isHit(view[protocol]))?.[protocol].state.notSent;
      const why = hit === undefined ? '' : `: probes could not be sent (${hit})`;
      return `${unknown} of ${countOf(paths, 'path')} by ${protocol.toUpperCase()} on the ${plane} plane are not known${why}`;
    };
  }
  return undefined;
}

/** Says which target nobody knows, and why this agent does not. */
function whyTargets([first, ...others]: readonly UnknownTarget[]): (() => string) | undefined {
  if (!first) return undefined;
  const { target, plane, why } = first;
  const names = new Set(others.map((one) => one.target)).add(target).size - 1;
  const more = names > 0 ? `, nor of ${countOf(names, 'other target')}` : '';
  const because = why === undefined ? '' : `: ${why}`;
  return () =>
    `no agent knows whether ${target} is reached from the ${plane} plane${more}${because}`;
}

function worstOf([worst, ...others]: ClusterState['findings']): string {
  const more = others.length > 0 ? `, and ${countOf(others.length, 'more finding')}` : '';
  return `${worst?.text ?? ''}${more}`;
}

/** Says what this agent's own GETs found at the peers of which none has sent a row. */
function whyUnheard({ snapshot, localName, probePort }: ClusterState): string {
  const peers = snapshot.nodes.filter((view) => view.name !== localName && isActive(view));
  const answers = peers.flatMap(({ host }) => host[0]?.http.state ?? []);
  const refusing = answers.filter(({ failureKind }) => failureKind === 'refused').length;
  const answering = answers.filter(({ state }) => state === 'reachable').length;
  if (answering > 0) {
    return `no other agent tells what it sees yet (${answering} of ${peers.length} ${answering === 1 ? 'answers' : 'answer'} on port ${probePort})`;
  }
  const refused =
    refusing > 0 ? ` (${refusing} ${refusing === 1 ? 'refuses' : 'refuse'} port ${probePort})` : '';
  return `no other agent answers yet${refused}`;
}
