import { channels } from '../../model/channel.js';
import { allListGroups } from '../../model/row-coverage.js';
import { countUpTo, type ClusterIndex } from '../nouns/cluster-index.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { everyNode, reportedChannels } from './coverage.js';
import {
  addWorking,
  noneProbed,
  detectS,
  probedShare,
  type ProbedSince,
  type ProbeTime,
} from './time-model.js';
import { observerAt, type Observations, type Observer } from './observations.js';

interface Witnesses {
  /** The ages of the observers that tell of every node, ascending. */
  readonly full: Float64Array;
  readonly bounded: Bounded;
  /** Of these, by zone, those that tell of each of its nodes all the same. */
  readonly ofZone: ReadonlyMap<number, Bounded>;
  /** The observers whose list may lack nodes. */
  readonly unlike: readonly Observer[];
}

/** Observers that leave out nodes above a hash, the highest first, and these hashes, ascending. */
interface Bounded {
  readonly observers: readonly Observer[];
  readonly horizons: Float64Array;
}

/** What began more than a day ago did so a day ago. */
const mostTenths = 864_000;

/**
 * How many have probed a node since a time, in seconds ago, without the node itself: of the observers that would name a path if it were
 * not well. Since ever: all who tell of it.
 */
export type CountWitnesses = (
  node: number,
  channel: number,
  beganS: number,
  time: ProbeTime,
) => ProbedSince;

/** Tells how many have probed a node. */
export function witnessesOf(index: ClusterIndex, observations: Observations): CountWitnesses {
  const { observers } = observations;
  const byChannel = witnessesByChannel(observers);
  /** By channel and time, how many of the observers that tell of every node have probed since. */
  const known = new Map<number, ProbedSince>();
  const tells = (observer: Observer, node: number, channel: number): boolean =>
    reportedChannels(observer, node, 1 << channel, index) !== 0;
  return (node, channel, beganS, time) => {
    const witnesses = byChannel[channel];
    if (!witnesses) return noneProbed();
    const { probed, misfit } = ofAlike(witnesses, node, channel, beganS, time);
    const working = { probed, misfit };
    for (const observer of witnesses.unlike)
      if (tells(observer, node, channel)) addWorking(working, beganS, observer.ageS, time, 1);
    const own = observerAt(observations, node);
    if (own && tells(own, node, channel)) addWorking(working, beganS, own.ageS, time, -1);
    return working;
  };

  /**
   * Many nodes began to fail at the same time, and most rows that leave nodes out name the same ones. So it is counted once
   * for each tenth of a second and number of rows that reach so far.
   */
  function ofAlike(
    { full, bounded, ofZone }: Witnesses,
    node: number,
    channel: number,
    beganS: number,
    time: ProbeTime,
  ): ProbedSince {
    const hash = index.hashes[node] ?? 0;
    const inZone = ofZone.get(index.zoneOf[node] ?? -1);
    // Those that leave nodes out, and tell of this one all the same: by its hash, and by its zone alone.
    const reaching = bounded.horizons.length - countUpTo(bounded.horizons, hash - 1);
    const beyond = inZone ? countUpTo(inZone.horizons, hash - 1) : 0;
    const all = full.length + reaching + beyond;
    if (beganS === Infinity) return { probed: all, misfit: all };
    const tenths = Math.round(10 * beganS);
    const zone = beyond === 0 ? 0 : 1 + (index.zoneOf[node] ?? 0);
    const rows = 1 + observers.length;
    const place = (zone * rows + beyond) * rows + reaching;
    const key = (place * mostTenths + Math.min(tenths, mostTenths - 1)) * 4 + channel;
    return getOrInsert(known, key, () => {
      const roundedS = tenths / 10;
      const detectedS = roundedS - detectS - time.confirmS;
      let sure = countUpTo(full, detectedS - time.sweepS);
      while (sure < full.length && probedShare(roundedS, full[sure] ?? 0, time) === 1) sure++;
      const working = { probed: sure, misfit: sure };
      const end = countUpTo(full, detectedS);
      for (let at = sure; at < end; at++) addWorking(working, roundedS, full[at] ?? 0, time, 1);
      const telling = bounded.observers.slice(0, reaching);
      // Those with the lowest hashes come last.
      if (inZone && beyond > 0) telling.push(...inZone.observers.slice(-beyond));
      for (const { ageS } of telling) addWorking(working, roundedS, ageS, time, 1);
      return working;
    });
  }
}

/** For each channel, who tells of which nodes. There may be thousands of observers, and mostly all tell of every node. */
function witnessesByChannel(observers: readonly Observer[]): Witnesses[] {
  const [whole, others]: [Observer[], Observer[]] = [[], []];
  for (const observer of observers)
    (observer.coverage === everyNode ? whole : others).push(observer);
  const ages = Float64Array.from(whole, ({ ageS }) => ageS).sort();
  return channels.map((_, channel) => witnessesOn(channel, ages, others));
}

/** @param ages those of the observers that tell of every node on all channels, ascending */
function witnessesOn(channel: number, ages: Float64Array, others: readonly Observer[]): Witnesses {
  const probing = others.filter((observer) => horizonOf(observer, channel) >= 0);
  const alike = probing.filter(({ coverage }) => coverage.groups === allListGroups);
  const full = alike.filter((observer) => horizonOf(observer, channel) === Infinity);
  const bounded = alike
    .filter((observer) => horizonOf(observer, channel) !== Infinity)
    .sort((a, b) => horizonOf(b, channel) - horizonOf(a, channel));
  return {
    full:
      full.length === 0
        ? ages
        : Float64Array.from([...ages, ...full.map(({ ageS }) => ageS)]).sort(),
    bounded: boundedOf(bounded, channel),
    ofZone: byCompleteZone(bounded, channel),
    unlike: probing.filter(({ coverage }) => coverage.groups !== allListGroups),
  };
}

function horizonOf({ coverage }: Observer, channel: number): number {
  return coverage.horizons[channel] ?? -1;
}

function byCompleteZone(bounded: readonly Observer[], channel: number): Map<number, Bounded> {
  const zones = new Map<number, Observer[]>();
  for (const observer of bounded) {
    for (const [zone, mask] of observer.coverage.completeZones?.entries() ?? [])
      if ((mask >> channel) & 1) getOrInsert(zones, zone, () => []).push(observer);
  }
  return new Map([...zones].map(([zone, observers]) => [zone, boundedOf(observers, channel)]));
}

/** @param observers those with the highest hash first */
function boundedOf(observers: readonly Observer[], channel: number): Bounded {
  const horizons = Float64Array.from(observers, (one) => horizonOf(one, channel));
  return { observers, horizons: horizons.reverse() };
}
