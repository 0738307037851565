/** What was seen of one agent at one time. A figure that could not be had is undefined. */
export interface Sample {
  /** Since the run began. */
  readonly ms: number;
  readonly host: string;
  readonly pid: number;
  /** For how long the process has been seen. */
  readonly ageMs: number;
  /** No fault or change lasted, and the agent had no finding but of loss. */
  readonly isCalm: boolean;
  /** The ids of the open findings; undefined if the agent did not answer. */
  readonly findings: readonly string[] | undefined;
  readonly values: Readonly<Partial<Record<FigureName, number>>>;
}

export interface Figure {
  readonly title: string;
  readonly unit: '' | 'MB';
  /** Only samples of calm times are compared: faults hold sockets and add series. */
  readonly whileCalm: boolean;
  /**
   * What it may grow by from the end of the warm-up to the end of the run. Undefined if it is shown and not
   * judged.
   */
  readonly mayGrowBy: number | undefined;
}

/** What is measured of each agent. */
export const figures = {
  private: { title: 'private memory', unit: 'MB', whileCalm: false, mayGrowBy: 6 },
  resident: { title: 'resident memory', unit: 'MB', whileCalm: false, mayGrowBy: 8 },
  heap: { title: 'heap in use', unit: 'MB', whileCalm: false, mayGrowBy: 6 },
  descriptors: { title: 'descriptors', unit: '', whileCalm: true, mayGrowBy: 3 },
  sockets: { title: 'of them sockets', unit: '', whileCalm: true, mayGrowBy: 3 },
  timers: { title: 'timers that hold the loop', unit: '', whileCalm: true, mayGrowBy: 3 },
  handles: { title: 'other active handles', unit: '', whileCalm: true, mayGrowBy: 3 },
  wakeUps: { title: 'wake-ups a second', unit: '', whileCalm: true, mayGrowBy: undefined },
  series: { title: 'series in /metrics', unit: '', whileCalm: true, mayGrowBy: 5 },
  findings: { title: 'open findings', unit: '', whileCalm: false, mayGrowBy: undefined },
} as const satisfies Readonly<Record<string, Figure>>;

export type FigureName = keyof typeof figures;
export const figureNames = Object.keys(figures) as FigureName[];
