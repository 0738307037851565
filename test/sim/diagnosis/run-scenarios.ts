import { scenario, type Scenario } from './scenario.js';

/** How often faults of one kind were named, and how often by the first finding. */
export interface KindFigures {
  made: number;
  first: number;
  found: number;
}

export interface ScenarioFigures {
  /** The number of scenarios with a fault that some observer sees. */
  readonly withFault: number;
  /** The number of these in which the first finding names an injected fault. */
  readonly first: number;
  /** The number of these in which some finding names each injected fault. */
  readonly all: number;
  readonly withoutFault: number;
  /** The number of these with a finding other than a missing observer. */
  readonly falseAlarms: number;
  readonly byKind: ReadonlyMap<string, KindFigures>;
  /** One line for each wrong scenario, with its seed. */
  readonly wrong: readonly string[];
}

/** Runs `count` scenarios with consecutive seeds. */
export function runScenarios(firstSeed: number, count: number): ScenarioFigures {
  const byKind = new Map<string, KindFigures>();
  const wrong: string[] = [];
  let [withFault, first, all, withoutFault, falseAlarms] = [0, 0, 0, 0, 0];
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const one = scenario(seed);
    const { faults, output, view, conditions } = one;
    if (faults.length === 0) {
      // A fault that nobody sees proves nothing.
      if (conditions.troubles.length > 0) continue;
      withoutFault++;
      if (output.findings.every(({ kind }) => kind === 'observers-missing')) continue;
      falseAlarms++;
      wrong.push(tell(one, 'no fault'));
      continue;
    }
    withFault++;
    const [worst] = output.findings;
    const isFirst = worst !== undefined && faults.some((fault) => fault.isNamedBy(worst, view));
    const missed = faults.filter(
      (fault) => !output.findings.some((finding) => fault.isNamedBy(finding, view)),
    );
    if (isFirst) first++;
    if (missed.length === 0) all++;
    for (const fault of faults) {
      const figures = byKind.get(fault.what) ?? { made: 0, first: 0, found: 0 };
      byKind.set(fault.what, figures);
      figures.made++;
      if (!missed.includes(fault)) figures.found++;
      if (worst && fault.isNamedBy(worst, view)) figures.first++;
    }
    if (!isFirst) wrong.push(tell(one, 'another first'));
    else if (missed.length > 0)
      wrong.push(tell(one, `missed: ${missed.map(({ what }) => what).join(', ')}`));
  }
  return { withFault, first, all, withoutFault, falseAlarms, byKind, wrong };
}

function tell({ seed, faults, output, conditions }: Scenario, why: string): string {
  const { names, wrongShare } = conditions;
  const made = faults.map(({ what, nodes }) => {
    const some = nodes.slice(0, 2).map((node) => names[node]);
    return `${what} (${some.join(', ')})`;
  });
  const findings = output.findings.slice(0, 4).map(({ id, explains }) => `${id} ${explains}`);
  const wrong = (100 * wrongShare).toFixed(2);
  return `seed ${seed}, ${names.length} nodes, ${wrong} % wrong, ${why}: ${made.join(' + ')} -> ${findings.join('; ')}`;
}

/** The figures as a table, followed by the wrong scenarios. */
export function table(figures: ScenarioFigures): string {
  const { withFault, first, all, withoutFault, falseAlarms, byKind, wrong } = figures;
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / Math.max(whole, 1)).toFixed(1)} %)`;
  const kinds = [...byKind].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `first finding is an injected fault: ${share(first, withFault)}`,
    `all injected faults are found: ${share(all, withFault)}`,
    `something found without a fault: ${share(falseAlarms, withoutFault)}`,
    '',
    `${'fault'.padEnd(44)}${'made'.padStart(6)}${'found'.padStart(7)}${'first'.padStart(7)}`,
    ...kinds.map(
      ([what, { made, found, first: firsts }]) =>
        `${what.padEnd(44)}${String(made).padStart(6)}${String(found).padStart(7)}${String(firsts).padStart(7)}`,
    ),
    ...(wrong.length > 0 ? ['', ...wrong] : []),
  ].join('\n');
}
