import { expect, test } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, n, start } from '../cluster.js';

/** Nobody reaches n7, and n3 does not reach the target; ages are rounded to 250 ms and the clocks drift apart. */
function run(seconds: number, { failsAnewS = 0 } = {}): DiagnosisOutput[] {
  const outputs: DiagnosisOutput[] = [];
  for (let nowMs = 0; nowMs <= seconds * 1000; nowMs += 370) {
    const ageOf = (beganS: number) => Math.round(4 * (60 + nowMs / 1000 - beganS)) / 4;
    const input = clusterOf(8, {
      says: ({ from, to }) =>
        to === n(7)
          ? {
              state: 'unreachable',
              ageSeconds: ageOf(from === n(2) && nowMs > 1000 * failsAnewS ? failsAnewS : 0),
            }
          : undefined,
      targets: ['registry'],
      saysOf: ({ from }) => (from === n(3) ? { ageSeconds: ageOf(0) } : undefined),
      input: {
        now: start + nowMs,
        wallOffsetMs: nowMs % 3,
        previous: outputs.at(-1),
      },
    });
    outputs.push(diagnose(input));
  }
  return outputs;
}

const timesOf = ({ findings }: DiagnosisOutput) =>
  findings.map(({ id, since, evidence, looks = [] }) => ({
    id,
    since,
    paths: [...evidence, ...looks].map((one) => ({ ...one })),
  }));

test('the times of an open finding and of its evidence stay as they were when it opened', () => {
  const outputs = run(12);
  const open = outputs.filter(({ findings }) => findings.length === 2).map(timesOf);
  expect(open.length).toBeGreaterThan(10);
  expect(open[0]?.map(({ paths }) => paths.length)).not.toContain(0);
  for (const times of open) expect(times).toEqual(open[0]);
});

test('a path that begins to fail anew has the time of that', () => {
  const [before, after] = [4, 12].map((seconds) =>
    run(seconds, { failsAnewS: 8 })
      .at(-1)
      ?.findings.flatMap(({ evidence }) => evidence)
      .find(({ from }) => from === n(2)),
  );
  expect(Date.parse(after?.since ?? '') - Date.parse(before?.since ?? '')).toBeGreaterThan(6000);
});
