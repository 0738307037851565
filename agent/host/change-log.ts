import {
  changeValuePattern,
  maxRowChanges,
  signAboutPattern,
  changeSentForMs,
  type HostChange,
  type RowChange,
  type SeenChange,
} from '../model/row-host.js';

/** One thing of a host that may be different at the next reading. */
export interface HostFact {
  readonly change: HostChange;
  readonly about: string;
  readonly value: string;
}

/** Facts of one kind; undefined where they could not be read: then nothing is said of them. */
export type ReadFacts = () => Promise<readonly HostFact[] | undefined>;

const maxFacts = 128;
/** A row has room for values of so many characters. */
const mostChars = 64;
/** So many are kept that are alike but for their values: what comes again and again leaves room for others. */
const mostAlike = 2;
/** Texts come from files that others write: what a row cannot tell is told as this. */
const notPlain = '?';

/** Compares what is read of a host with what was read before, and keeps the newest changes. */
export class ChangeLog {
  readonly #known = new Map<string, { readonly value: string; readonly readMs: number }>();
  #changes: readonly SeenChange[] = [];

  /** Notes something that happened at a time that is known. */
  note(change: HostChange, atMs: number, to = ''): void {
    this.#add({ change, foundMs: atMs, withinSeconds: 0, about: '', from: '', to: plain(to) });
  }

  /** Notes what somebody else has compared. */
  noteChange(change: SeenChange): void {
    const { about, from, to } = change;
    if (!signAboutPattern.test(about)) return;
    const isLike = (one: SeenChange): boolean =>
      one.change === change.change && one.about === about;
    const alike = [
      { ...change, from: plain(from), to: plain(to) },
      ...this.#changes.filter(isLike),
    ];
    const kept = alike.sort(newestFirst).slice(0, mostAlike);
    this.#keep([...kept, ...this.#changes.filter((one) => !isLike(one))]);
  }

  /** Takes one reading of facts. What was not read before is no change. Returns how many changed. */
  compare(facts: readonly HostFact[], nowMs: number): number {
    let changed = 0;
    for (const { change, about, value } of facts.slice(0, maxFacts)) {
      if (!signAboutPattern.test(about)) continue;
      const key = `${change} ${about}`;
      const before = this.#known.get(key);
      this.#known.set(key, { value, readMs: nowMs });
      if (!before || before.value === value) continue;
      changed++;
      const withinSeconds = Math.ceil((nowMs - before.readMs) / 1000);
      const [from, to] = withoutCommon(before.value, value);
      this.noteChange({ change, about, foundMs: nowMs, withinSeconds, from, to });
    }
    return changed;
  }

  /** The newest changes of the last hour, the last one first. */
  changes(nowMs: number): readonly RowChange[] {
    return this.#changes
      .filter(({ foundMs }) => nowMs - foundMs <= changeSentForMs)
      .map(({ foundMs, ...change }) => ({
        ...change,
        ageSeconds: Math.max(Math.round((nowMs - foundMs) / 1000), 0),
      }));
  }

  #add(change: SeenChange): void {
    this.#keep([change, ...this.#changes]);
  }

  #keep(changes: SeenChange[]): void {
    this.#changes = changes.sort(newestFirst).slice(0, maxRowChanges);
  }
}

function newestFirst(a: SeenChange, b: SeenChange): number {
  return b.foundMs - a.foundMs;
}

/** Of two long lists, what they do not have in common: a host may have many addresses. */
function withoutCommon(before: string, after: string): [from: string, to: string] {
  if (Math.max(before.length, after.length) <= mostChars) return [before, after];
  const [from, to] = [before.split(', '), after.split(', ')];
  const only = (some: readonly string[], others: readonly string[]): string =>
    ['...', ...some.filter((one) => !others.includes(one))].join(', ');
  return from.some((one) => to.includes(one)) ? [only(from, to), only(to, from)] : [before, after];
}

function plain(value: string): string {
  const short = value.length > mostChars ? `${value.slice(0, mostChars - 3)}...` : value;
  return changeValuePattern.test(short) ? short : notPlain;
}
