// Works out the findings of a large cluster again and again, as V8 runs in an agent, and prints what a run takes.
import { setV8Flags } from '../../../agent/platform/v8-flags.js';
import { eightLabels, measureDiagnosis } from '../diagnosis.js';

const [nodes, deadShare, runs, labels] = process.argv.slice(2);
setV8Flags();
const figures = await measureDiagnosis(
  Number(nodes),
  Number(deadShare),
  Number(runs),
  labels === 'labels' ? eightLabels : [],
);
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
