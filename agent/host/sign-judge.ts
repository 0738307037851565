import { hostSigns, maxRowSigns, type HostSign } from '../model/row-host.js';
import { DropWatch } from './drop-watch.js';
import { LevelWatch } from './level-watch.js';
import type { Measure } from './measure.js';
import { RateWatch, type RateState } from './rate-watch.js';
import { signRules } from './rules.js';
import { ThresholdWatch } from './threshold-watch.js';

/** A sign of this host, with its beginning in monotonic milliseconds. */
export interface SignState extends RateState {
  readonly sign: HostSign;
  readonly about: string;
}

type Watch = RateWatch | LevelWatch | DropWatch | ThresholdWatch;

/** Interfaces come and go, so what is watched is bounded. */
const mostWatches = 256;

/** Says which figures of a host are signs, by the rule of each. */
export class SignJudge {
  #watches = new Map<string, Watch>();
  #signs: readonly SignState[] = [];

  /** Takes one reading of all figures. What is not among them any more is no sign. */
  note(measures: readonly Measure[], nowMs: number): void {
    const watches = new Map<string, Watch>();
    const signs: SignState[] = [];
    for (const measure of measures.slice(0, mostWatches)) {
      const { sign, about } = measure;
      const key = `${sign} ${about}`;
      const watch = this.#watches.get(key) ?? createWatch(sign);
      if (!watch || watches.has(key)) continue;
      watches.set(key, watch);
      const state = noted(watch, measure, nowMs);
      if (state) signs.push({ sign, about, ...state });
    }
    this.#watches = watches;
    this.#signs = signs.sort((a, b) => order(a) - order(b)).slice(0, maxRowSigns);
  }

  /** At most as many as a row tells, those that stand first in the list of all. */
  get signs(): readonly SignState[] {
    return this.#signs;
  }
}

function order({ sign }: SignState): number {
  return hostSigns.indexOf(sign);
}

function createWatch(sign: HostSign): Watch | undefined {
  const rule = signRules[sign];
  if (!rule) return undefined;
  if ('below' in rule) return new DropWatch();
  if ('from' in rule) return new ThresholdWatch(rule);
  return 'share' in rule ? new LevelWatch(rule) : new RateWatch(rule);
}

function noted(watch: Watch, measure: Measure, nowMs: number): RateState | undefined {
  if (watch instanceof RateWatch)
    return 'count' in measure
      ? watch.note(measure.count, nowMs, measure.of, measure.parts)
      : undefined;
  if (watch instanceof DropWatch)
    return 'highest' in measure ? watch.note(measure, nowMs) : undefined;
  if (watch instanceof ThresholdWatch)
    return 'value' in measure ? watch.note(measure, nowMs) : undefined;
  return 'limit' in measure ? watch.note(measure, nowMs) : undefined;
}
