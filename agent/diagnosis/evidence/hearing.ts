import { freshForMs, livesForMs, type Row } from '../../model/row.js';
import type { Cause } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { SharedPaths } from './evidence-paths.js';
import { entryBetween, type Facts } from './observations.js';
import { apartS, detectS, newsS, roundedS } from './time-model.js';

/** An answer of a node may still arrive this long after it died. */
export const lateAnswerMs = 1000;
/** An older sign of life says nothing about now. */
const heardMs = 20_000;

/** A node's own GETs that came after its trouble began. */
export interface Hearing {
  /** How many observers got one. */
  readonly observers: number;
  /** How long ago the first of these came, as far as rows tell, in milliseconds; 0 if none did. */
  readonly firstMsAgo: number;
}

/** How old a sign of life may be that still counts, in milliseconds: a row that tells of a GET comes later than that. */
export function signsLastMs(own: Pick<Row, 'httpIntervalMs' | 'httpTimeoutMs'>): number {
  return livesForMs(own) + 1000 * newsS;
}

/**
 * Who heard a node's own GETs after its trouble began.
 * @param shared tells which paths another cause explains too: what was heard after these failed was heard before this trouble
 */
export function hearingSince(
  { input, index, observations, localNode }: Facts,
  node: number,
  { knownChannels }: Pick<Cause, 'knownChannels'>,
  beganMs: number,
  shared: SharedPaths,
): Hearing {
  const { own } = observations;
  const oldestMs = own ? signsLastMs(own) : heardMs;
  const latestMs = Math.min(oldestMs, beganMs - lateAnswerMs);
  // Its first lost probe was sent before the verdict.
  const firstLostMs = latestMs + 1000 * detectS;
  const hereMs = input.heardMsAgo.get(index.nodes[node]?.name ?? '') ?? Infinity;
  const isHeardHere = hereMs < latestMs;
  const times = hereMs < firstLostMs ? [hereMs] : [];
  const heard = observations.heard.get(node) ?? [];
  const { entries, byTarget, firstTo } = observations;
  /** A row tells that a node was heard after the last of its verdicts. */
  const isSinceTrouble = (observer: number): boolean => {
    const entry = entryBetween(observations, observer, node);
    return channelsIn(entries.fail[entry] ?? 0).some((channel) => {
      const verdictMs = 1000 * (entries.ageS[4 * entry + channel] ?? 0);
      const isOwn = ((knownChannels >> channel) & 1) === 1 && !shared.isShared(entry, channel);
      // A verdict is of this trouble unless it is far older than most.
      return verdictMs < beganMs + (isOwn ? 1000 * apartS : -lateAnswerMs);
    });
  };
  const hearing = new Set(isHeardHere ? [localNode] : []);
  // Rows tell of a GET too that came before their verdicts, which take some seconds.
  for (let at = firstTo[node] ?? 0; at < (firstTo[node + 1] ?? 0); at++) {
    const entry = byTarget[at] ?? 0;
    const ms = 1000 * (entries.unheardS[entry] ?? 0);
    const earliestMs = ms + 1000 * roundedS;
    if (ms === 0 || earliestMs >= firstLostMs) continue;
    times.push(ms);
    if (earliestMs < latestMs) hearing.add(entries.from[entry] ?? 0);
  }
  for (const { observer, msAgo, confirmedMsAgo } of heard) {
    const isSince = isSinceTrouble(observer);
    // A row that has not changed for long still says so if it was confirmed just now.
    if (!isSince || confirmedMsAgo >= oldestMs) continue;
    hearing.add(observer);
    times.push(msAgo);
  }
  return { observers: hearing.size, firstMsAgo: Math.max(0, ...times) };
}

/** Packets that were on their way when the trouble began still arrive. */
const onTheWayMs = 2000;

/**
 * Tells whether the local node heard a peer until their trouble began, and nothing since: no GET of the peer, and no answer with its row. Of
 * two other nodes it is not known, so it is false. Without it the end of a cut pair has its own report alone, which must last to be believed.
 * @returns a function of two nodes and of how long the first has not reached the second, in seconds
 */
export function fellSilent({
  input,
  index,
  observations: { own },
  localNode,
}: Facts): (from: number, to: number, ageS: number) => boolean {
  return (from, to, ageS) => {
    if (from !== localNode || !own) return false;
    const beganMsAgo = 1000 * ageS;
    // A GET must be overdue before its absence means anything.
    if (beganMsAgo < own.httpIntervalMs + own.httpTimeoutMs) return false;
    const heardMsAgo = input.heardMsAgo.get(index.nodes[to]?.name ?? '') ?? Infinity;
    return heardMsAgo > beganMsAgo - onTheWayMs && heardMsAgo < beganMsAgo + freshForMs(own);
  };
}
