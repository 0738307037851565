/** One line of the table. */
export interface Row {
  readonly promise: string;
  /** Empty if there is no target. */
  readonly target: string;
  readonly figure: string;
  /** Other figures of the same run, for comparison. */
  readonly beside: string;
  readonly result: TargetResult;
}

export type TargetResult = 'ok' | 'missed' | '';

/** Figures as they were measured, for the results file. */
export type Figures = Readonly<Record<string, unknown>>;

/** The results of a run. */
export class Report {
  readonly rows: Row[] = [];
  readonly figures: (Figures & { readonly measurement: string })[] = [];
  readonly skipped: { readonly measurement: string; readonly reason: string }[] = [];

  readonly failed: { readonly measurement: string; readonly reason: string }[] = [];

  row(row: Omit<Row, 'target' | 'beside' | 'result'> & Partial<Row>): void {
    this.rows.push({ target: '', beside: '', result: '', ...row });
  }

  add(measurement: string, figures: Figures): void {
    this.figures.push({ measurement, ...figures });
  }

  skip(measurement: string, reason: string): void {
    this.skipped.push({ measurement, reason });
  }

  /** Adds a measurement that failed unexpectedly. */
  fail(measurement: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.failed.push({ measurement, reason });
  }

  /** The figures of one measurement so far. */
  of(measurement: string): readonly Figures[] {
    return this.figures.filter((figures) => figures.measurement === measurement);
  }
}

/** `ok` if every figure is within its limit. A figure that could not be measured is not. */
export function targetResult(...withinLimit: readonly boolean[]): TargetResult {
  return withinLimit.every(Boolean) ? 'ok' : 'missed';
}
