/** What became of the datagrams of one path. Lost ones whose way is not known are in `lost` alone. */
export interface UdpTotals {
  readonly sent: number;
  readonly lost: number;
  readonly lostThere: number;
  readonly lostBack: number;
  readonly reorderedThere: number;
  readonly reorderedBack: number;
  readonly duplicatedThere: number;
  readonly duplicatedBack: number;
}

/** What an answer says. */
export interface UdpAnswer {
  readonly sequence: number;
  /** How many datagrams the peer has counted, with the one that it answers. */
  readonly counter: number;
  /** Another one where the peer has begun to count anew. */
  readonly epoch: number;
}

/** What one count of the peer, from its beginning on, says of the two ways. */
interface Count {
  readonly epoch: number;
  /** The sequence before the first one that is counted. */
  base: number;
  /** The highest counter, and the sequence that it answered. */
  counter: number;
  sequenceOfCounter: number;
  highestSequence: number;
  /** Answers with a counter of their own. */
  arrived: number;
  duplicatedThere: number;
}

/** So many datagrams are remembered, each by its fate: two trains. */
const remembered = 16;
/** Fates: still waited for, lost, or none. Any other is the counter of the answer. */
const [open, lost, none] = [-1, -2, -3];

/**
 * Counts what becomes of numbered datagrams. The peer's answers say how many have come there, so what is lost
 * on the way there is told from what is lost on the way back. What came before the first answer of all
 * is forgotten with it: the peer may not have listened.
 */
export class UdpCounts {
  readonly #fates = new Float64Array(remembered).fill(none);
  #last = 0;
  #hasAnswered = false;
  #answered = 0;
  #lost = 0;
  #reorderedThere = 0;
  #reorderedBack = 0;
  #duplicatedThere = 0;
  #duplicatedBack = 0;
  #count: Count | undefined;
  /** Of counts that ended, as the peer began anew. */
  #ended = { there: 0, back: 0 };

  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** The sequence of a datagram that is sent now. */
  send(): number {
    this.#settle(this.#last + 1 - remembered);
    this.#last++;
    this.#fates[this.#last % remembered] = open;
    return this.#last;
  }

  /** This host could not send it, which says nothing of the path. */
  notSent(sequence: number): void {
    if (this.#fateOf(sequence) !== open) return;
    this.#fates[sequence % remembered] = none;
    if (this.#count && sequence > this.#count.base) this.#count.base++;
  }

  /** Takes an answer. Returns whether it is one to a datagram that is remembered. */
  answer(answer: UdpAnswer): boolean {
    const { sequence, counter, epoch } = answer;
    const fate = this.#fateOf(sequence);
    if (fate === none) return false;
    if (fate === counter) {
      this.#duplicatedBack++;
    } else if (fate >= 0) {
      this.#duplicatedThere++;
      if (this.#count?.epoch === epoch) {
        this.#count.duplicatedThere++;
        this.#count.arrived++;
        this.#count.counter = Math.max(this.#count.counter, counter);
      }
    } else {
      if (fate === lost) this.#lost--;
      if (!this.#hasAnswered) this.#forgetLosses();
      this.#hasAnswered = true;
      this.#answered++;
      this.#fates[sequence % remembered] = counter;
      this.#follow(answer);
    }
    return true;
  }

  /** Nothing more is waited for. A late answer still takes a loss back. */
  settle(): void {
    for (let back = remembered - 1; back >= 0; back--) this.#settle(this.#last - back);
  }

  totals(): UdpTotals {
    const now = waysOf(this.#count);
    const lostThere = Math.min(this.#ended.there + now.there, this.#lost);
    return {
      sent: this.#answered + this.#lost,
      lost: this.#lost,
      lostThere,
      lostBack: Math.min(this.#ended.back + now.back, this.#lost - lostThere),
      reorderedThere: this.#reorderedThere,
      reorderedBack: this.#reorderedBack,
      duplicatedThere: this.#duplicatedThere,
      duplicatedBack: this.#duplicatedBack,
    };
  }

  #forgetLosses(): void {
    this.#lost = 0;
    for (const [place, fate] of this.#fates.entries()) if (fate === lost) this.#fates[place] = none;
  }

  #settle(sequence: number): void {
    if (this.#fateOf(sequence) !== open) return;
    this.#fates[sequence % remembered] = lost;
    this.#lost++;
  }

  #fateOf(sequence: number): number {
    const isKnown = sequence > Math.max(0, this.#last - remembered) && sequence <= this.#last;
    return isKnown ? (this.#fates[sequence % remembered] ?? none) : none;
  }

  #follow({ sequence, counter, epoch }: UdpAnswer): void {
    const count = this.#count;
    if (!count || (count.epoch !== epoch && sequence > count.highestSequence)) {
      const { there, back } = waysOf(count);
      this.#ended = { there: this.#ended.there + there, back: this.#ended.back + back };
      // Of what came before, nobody knows where it was lost.
      const [base, arrived] = [sequence - counter, counter];
      const highestSequence = sequence;
      const begun = { epoch, base, counter, arrived, highestSequence, duplicatedThere: 0 };
      this.#count = { ...begun, sequenceOfCounter: sequence };
      return;
    }
    if (count.epoch !== epoch) return;
    const isLater = counter > count.counter;
    if (sequence < count.sequenceOfCounter === isLater) this.#reorderedThere++;
    if (!isLater) this.#reorderedBack++;
    count.arrived++;
    count.highestSequence = Math.max(count.highestSequence, sequence);
    if (isLater) Object.assign(count, { counter, sequenceOfCounter: sequence });
  }
}

/** What was lost on each way, by a count of the peer. A peer may tell nonsense. */
function waysOf(count: Count | undefined): { readonly there: number; readonly back: number } {
  if (!count) return { there: 0, back: 0 };
  const { base, counter, highestSequence, arrived, duplicatedThere } = count;
  return {
    there: Math.max(0, highestSequence - base - counter + duplicatedThere),
    back: Math.max(0, counter - arrived),
  };
}
