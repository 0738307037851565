import { hostSigns, type HostSign } from '../../api/schema/v1/host-signs.js';
import { hostChanges, type HostChange } from '../../api/schema/v1/host-changes.js';
import type { Plane } from './path.js';

export { hostChanges, hostSigns, type HostChange, type HostSign };

/** A row tells at most so many signs of its host. */
export const maxRowSigns = 8;
/** And so many of its newest changes. */
export const maxRowChanges = 4;
/** Changes are told for so long. */
export const changeSentForMs = 3_600_000;

/** What a sign is about, such as the name of an interface; mostly nothing. */
export const signAboutPattern = /^[A-Za-z0-9_.:@+-]{0,32}$/;

/** A counter or table of a host that is bad by the rule of that sign. It says nothing of what it causes. */
export interface RowSign {
  readonly sign: HostSign;
  /** Whose network namespace it was read in. */
  readonly plane: Plane;
  /** Seconds since it began, as its observer read it. */
  readonly ageSeconds: number;
  /** It was so at the first reading of its observer already: it began then or before. */
  readonly orBefore?: true;
  /** The figure, in whole numbers of what the sign counts. */
  readonly value: number;
  /** What a table holds, of how many the figure is, or from which figure on it is a sign or stays one. */
  readonly limit: number;
  /** The interface, or whatever else it is about; empty where there is only one. */
  readonly about: string;
}

/** What something was before a change, or is after it. */
export const changeValuePattern = /^[A-Za-z0-9_.:@/+,=% -]{0,64}$/;

/** Something that was different at one reading of a host than at the one before. */
export interface RowChange {
  readonly change: HostChange;
  /** Seconds since the reading that found it. */
  readonly ageSeconds: number;
  /** It was made at most so many seconds before that reading. */
  readonly withinSeconds: number;
  /** The interface, or whatever else it is about; empty where there is only one. */
  readonly about: string;
  /** Empty where that is not known. */
  readonly from: string;
  readonly to: string;
}

/** The same as the agent that saw it keeps it. */
export interface SeenChange extends Omit<RowChange, 'ageSeconds'> {
  /** Monotonic milliseconds. */
  readonly foundMs: number;
}

/** A table of which this share is taken is full, but for what has just left it. */
export const fullShare = 0.98;
