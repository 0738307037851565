import { planes, type Plane } from '../../../agent/model/path.js';
import type { RowLargeLoss, RowLargePass } from '../../../agent/model/row-large.js';
import type { Row } from '../../../agent/model/row.js';
import { keepRow } from '../../../agent/peers/row/kept-row.js';
import { encodeRow } from '../../../agent/peers/row/row-text.js';
import { boundLarge, withLarge } from '../../../agent/peers/row/large.js';
import type { Random } from '../../fuzz/random.js';
import { losesLarge, probe } from '../../faults/trouble.js';
import { hasAddress, type Conditions } from './scenarios/conditions.js';

/** Three tests of a path, each six seconds long at the most, and up to half a minute until it has its turn. */
const [leastJudgedS, mostJudgedS] = [6, 60];
/** The steady tests come to each path once in this time where there are few of them. */
const steadyS = 600;
/** What is tested because of a loss is tested within this time. */
const soonS = 30;
const foundShare = 0.9;
const limit = { bytes: 1410, interfaceBytes: 1500 };

/** Adds to rows what agents know of large packets while some are lost. */
export class LargeWriter {
  readonly #conditions: Conditions;
  readonly #random: Random;
  readonly #large: Conditions['troubles'];
  /** Nodes to or from which some agent says that they are lost. */
  readonly #suspected = new Set<number>();

  constructor(conditions: Conditions, random: Random) {
    this.#conditions = conditions;
    this.#random = random;
    this.#large = conditions.troubles.filter(({ trouble }) => trouble.dropsLarge);
    const { names } = conditions;
    for (const from of names.keys()) {
      for (const to of names.keys()) {
        if (from === to || !planes.some((plane) => this.#lostForS(from, to, plane) !== undefined))
          continue;
        this.#suspected.add(from).add(to);
      }
    }
  }

  /**
   * The row with what its observer knew this many seconds ago.
   * @param isOwn the local agent knows all of it, others send what fits
   */
  write(row: Row, observer: number, agoS: number, isOwn: boolean): Row {
    const oldestS = Math.max(...this.#large.map(({ ageS }) => ageS)) - agoS;
    if (this.#suspected.size === 0 || oldestS < leastJudgedS) return row;
    const { names } = this.#conditions;
    const lost: RowLargeLoss[] = [];
    const passed: RowLargePass[] = [];
    for (const [target, node] of names.entries()) {
      if (target === observer) continue;
      for (const plane of planes) {
        if (!hasAddress(this.#conditions, plane, target) || !this.#works(observer, target, plane))
          continue;
        const ageS = this.#lostForS(observer, target, plane);
        if (ageS === undefined) {
          const testedS = this.#testedAgoS(observer, target);
          if (testedS < oldestS) passed.push({ node, plane, ageSeconds: Math.floor(testedS) });
          continue;
        }
        const ageSeconds = Math.floor(ageS - agoS - this.#between(leastJudgedS, mostJudgedS));
        if (ageSeconds < 0) continue;
        const isThere = this.#drops(observer, target, plane);
        if (!isThere && plane === 'host') continue;
        const found = this.#random.next() < foundShare ? { limit } : {};
        lost.push({ node, plane, ageSeconds, ...(!isThere && { isBack: true }), ...found });
      }
    }
    passed.sort((a, b) => a.ageSeconds - b.ageSeconds);
    const whole = withLarge(row, { lost, passed });
    if (isOwn || !whole.large) return whole;
    const bare = { ...whole, paths: [], zones: [], targets: [], large: boundLarge(whole.large) };
    const large = keepRow(whole.observer, JSON.parse(encodeRow(bare)))?.large;
    if (!large) throw new Error('expected what was encoded');
    return { ...whole, large };
  }

  #between(least: number, most: number): number {
    return least + (most - least) * this.#random.next();
  }

  #works(from: number, to: number, plane: Plane): boolean {
    const troubles = this.#conditions.troubles.map(({ trouble }) => trouble);
    return probe(troubles, from, to, plane, 'http') === undefined;
  }

  #drops(from: number, to: number, plane: Plane): boolean {
    return this.#large.some(({ trouble }) => trouble.dropsLarge?.(from, to, plane) === true);
  }

  /** For how long a large GET and its answer, or one of them, have been lost between two nodes. */
  #lostForS(from: number, to: number, plane: Plane): number | undefined {
    const ages = this.#large
      .filter(({ trouble }) => losesLarge(trouble, from, to, plane))
      .map(({ ageS }) => ageS);
    return ages.length === 0 ? undefined : Math.max(...ages);
  }

  #testedAgoS(observer: number, target: number): number {
    const isSuspected = this.#suspected.has(observer) || this.#suspected.has(target);
    return this.#between(0, isSuspected ? soonS : steadyS);
  }
}
