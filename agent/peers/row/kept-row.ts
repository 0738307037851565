import type { PerChannel } from '../../model/channel.js';
import type { RowChange, RowSign } from '../../model/row-host.js';
import type { RowLarge } from '../../model/row-large.js';
import type {
  Row,
  RowCounts,
  RowFamily,
  RowHealth,
  RowList,
  RowPath,
  RowSweep,
  RowZone,
} from '../../model/row.js';
import type { RowRefutation } from '../../model/refutation.js';
import type { RowReceiver } from '../../model/row-notices.js';
import type { RowTarget } from '../../model/target.js';
import { decodeChanges } from './changes.js';
import { decodeCounts } from './counts.js';
import { decodeFamilies } from './families.js';
import { decodeHead, headFields, type RowHead } from './head.js';
import { ValueWriter, type KeptValues } from './kept-values.js';
import { decodeLarge } from './large.js';
import { decodeList } from './list.js';
import { decodeNotices } from './notices.js';
import { decodeAllPaths, type RowPaths } from './paths.js';
import { believedOf, SharedParts, type Believed, type LastRead } from './shared-parts.js';
import { decodeSigns } from './signs.js';
import { decodeSweeps } from './sweeps.js';
import { decodeTargets } from './targets.js';
import { MalformedRow, ValueReader } from './value-reader.js';
import { decodeZones } from './zones.js';

/** The sections in the order in which they are kept. */
const sections = {
  head: 0,
  counts: 1,
  list: 2,
  paths: 3,
  zones: 4,
  targets: 5,
  large: 6,
  families: 7,
  sweeps: 8,
  signs: 9,
  notices: 10,
  changes: 11,
  namedByZone: 12,
} as const;

/**
 * The row of a peer: the bytes that came, without the names that all rows have in common. Each section is read from them when
 * it is asked for, so holding a row costs nothing more. Paths, counts and what it says of its observer are remembered until
 * another row is read; take the other ones once. It has getters alone, so it cannot be spread: see `toJSON`.
 */
export class KeptRow implements Row {
  readonly observer: string;
  /** Asked of each row, whether it is read or not. */
  readonly omittedNodes: number;
  /** What it says itself, however much of that is believed. */
  readonly reported: Believed;
  readonly #values: KeptValues;
  readonly #shared: SharedParts;

  /** @throws MalformedRow if the values are no row */
  constructor(observer: string, values: KeptValues, shared: SharedParts) {
    this.observer = observer;
    this.#values = values;
    this.#shared = shared;
    const { omittedNodes, httpIntervalMs, httpTimeoutMs } = this.#check();
    this.omittedNodes = omittedNodes;
    this.reported = { httpIntervalMs, httpTimeoutMs };
  }

  get version(): string {
    return this.#head.version;
  }

  get httpIntervalMs(): number {
    return this.#head.httpIntervalMs;
  }

  get httpTimeoutMs(): number {
    return this.#head.httpTimeoutMs;
  }

  get health(): RowHealth {
    return this.#head.health;
  }

  get refutation(): RowRefutation | undefined {
    return this.#head.refutation;
  }

  get counts(): PerChannel<RowCounts> {
    const last = this.#last;
    return (last.counts ??= decodeCounts(this.#read('counts')));
  }

  get list(): RowList | undefined {
    const read = this.#read('list');
    return read.skipAbsent() ? undefined : decodeList(read, this.#shared.shareList);
  }

  get paths(): readonly RowPath[] {
    return this.#decoded.paths;
  }

  get heard(): readonly string[] | undefined {
    return orUndefined(this.#decoded.heard);
  }

  get namedByZone(): readonly string[] | undefined {
    return this.#decoded.namedByZone;
  }

  get zones(): readonly RowZone[] {
    return decodeZones(this.#read('zones'));
  }

  get targets(): readonly RowTarget[] | undefined {
    const read = this.#read('targets');
    return read.skipAbsent() ? undefined : orUndefined(decodeTargets(read));
  }

  get families(): readonly RowFamily[] | undefined {
    const read = this.#read('families');
    return read.skipAbsent() ? undefined : orUndefined(decodeFamilies(read));
  }

  get sweeps(): readonly RowSweep[] | undefined {
    const read = this.#read('sweeps');
    return read.skipAbsent() ? undefined : orUndefined(decodeSweeps(read));
  }

  get signs(): readonly RowSign[] | undefined {
    const read = this.#read('signs');
    return read.skipAbsent() ? undefined : orUndefined(decodeSigns(read));
  }

  get changes(): readonly RowChange[] | undefined {
    const read = this.#read('changes');
    return read.skipAbsent() ? undefined : orUndefined(decodeChanges(read));
  }

  get large(): RowLarge | undefined {
    const read = this.#read('large');
    return read.skipAbsent() ? undefined : decodeLarge(read);
  }

  get notices(): readonly RowReceiver[] | undefined {
    const read = this.#read('notices');
    return read.skipAbsent() ? undefined : orUndefined(decodeNotices(read));
  }

  /** How many bytes it takes, beside the texts that all rows have in common. */
  get byteLength(): number {
    return this.#values.bytes.length;
  }

  /** All of it at once. */
  toJSON(): Row {
    const { list, sweeps, families, heard, targets, large, signs, notices, changes } = this;
    const { namedByZone } = this;
    return {
      observer: this.observer,
      ...this.#head,
      ...(list && { list }),
      counts: this.counts,
      ...(sweeps && { sweeps }),
      ...(families && { families }),
      paths: this.paths,
      ...(namedByZone && { namedByZone }),
      zones: this.zones,
      ...(heard && { heard }),
      ...(targets && { targets }),
      ...(large && { large }),
      ...(signs && { signs }),
      ...(notices && { notices }),
      ...(changes && { changes }),
    };
  }

  get #head(): RowHead {
    const last = this.#last;
    return (last.head ??= this.#readHead());
  }

  /** The interval and the timeout are as long as is believed now, not when the row came: this agent's list may have grown since. */
  #readHead(): RowHead {
    const reported = decodeHead(this.#read('head'));
    return { ...reported, ...believedOf(this.reported, this.#shared.mostBelieved) };
  }

  get #decoded(): RowPaths {
    const last = this.#last;
    return (last.reported ??= this.#decode(false));
  }

  get #last(): LastRead {
    const { last } = this.#shared;
    if (last?.row === this) return last;
    return (this.#shared.last = { row: this });
  }

  #decode(isNew: boolean): RowPaths {
    return decodeAllPaths(this.#read('paths', isNew), this.#read('namedByZone', isNew));
  }

  #read(section: keyof typeof sections, isNew = false): ValueReader {
    return new ValueReader(this.#values, this.#shared.numbers, sections[section], isNew);
  }

  /** Reads all of it once. Returns its head. */
  #check(): RowHead {
    const head = decodeHead(this.#read('head', true));
    decodeCounts(this.#read('counts', true));
    const list = this.#read('list', true);
    if (!list.skipAbsent()) decodeList(list, this.#shared.shareList);
    this.#decode(true);
    decodeZones(this.#read('zones', true));
    const targets = this.#read('targets', true);
    if (!targets.skipAbsent()) decodeTargets(targets);
    const large = this.#read('large', true);
    if (!large.skipAbsent()) decodeLarge(large);
    const families = this.#read('families', true);
    if (!families.skipAbsent()) decodeFamilies(families);
    const sweeps = this.#read('sweeps', true);
    if (!sweeps.skipAbsent()) decodeSweeps(sweeps);
    const signs = this.#read('signs', true);
    if (!signs.skipAbsent()) decodeSigns(signs);
    const notices = this.#read('notices', true);
    if (!notices.skipAbsent()) decodeNotices(notices);
    const changes = this.#read('changes', true);
    if (!changes.skipAbsent()) decodeChanges(changes);
    return head;
  }
}

/**
 * Takes a peer's row as it came, as parsed JSON. Undefined if any part of it is malformed or there is too much. What a newer
 * agent may add is no reason to refuse: an unknown failure is left out, an unknown state is `unknown`, further channels,
 * protocols and items are skipped.
 *
 * @param shared what it has in common with other rows; left out, nothing
 */
export function keepRow(
  observer: string,
  value: unknown,
  shared = new SharedParts(),
): KeptRow | undefined {
  if (!isObject(value)) return undefined;
  const { counts, list, nodes, zones, targets } = value;
  const { large, families, sweeps, signs, notices, changes, namedByZone } = value;
  const writer = new ValueWriter(shared.numbers);
  writer.section(headFields.map((field) => value[field]));
  writer.section([counts]);
  writer.section([list]);
  writer.section([nodes], true);
  writer.section([zones]);
  writer.section([targets]);
  // What is there and has no list is refused.
  const { lost = null, passed = null } = isObject(large) ? large : {};
  writer.section(large === undefined ? [undefined] : [lost, passed], true);
  writer.section([families]);
  writer.section([sweeps]);
  writer.section([signs]);
  writer.section([notices]);
  writer.section([changes]);
  writer.section([namedByZone], true);
  const values = writer.finish();
  if (!values) return undefined;
  try {
    const { bytes, texts } = values;
    return new KeptRow(observer, { bytes, texts: shared.shareTexts(texts) }, shared);
  } catch (error) {
    if (error instanceof MalformedRow) return undefined;
    throw error;
  }
}

function orUndefined<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
