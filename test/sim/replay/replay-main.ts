import { parseArgs } from 'node:util';
import { diagnose } from '../../../agent/diagnosis/diagnose.js';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { escapeText } from '../../../cli/view/escape.js';
import { compareFindings } from './compare-findings.js';
import { readReport, type ReadReport } from './read-report.js';

const help = `Usage: npm run sim -- replay FILE... [--without-memory]

Reads reports of meshprobe (compressed or not) and prints the findings that the present code makes of
them. Lines with - are in the report alone, lines with + only in what is found now.

  --without-memory  as in the first run of an agent, which remembers no findings

The exit code is 0 if all findings are as in the report, 1 if some differ, and 2 if a file is no report.
`;

/** Replays reports. The exit code is 1 if a finding differs from its report. */
export function replay(argv: readonly string[]): number {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      'without-memory': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (positionals.length === 0)
    throw new RangeError('replay: expected at least one FILE, got none');
  let isSame = true;
  for (const path of positionals) {
    const result = replayReport(readReport(path), !values['without-memory']);
    process.stdout.write(`${escapeText(path)}: ${result.text}\n`);
    isSame &&= result.isSame;
  }
  return isSame ? 0 : 1;
}

/** What the present code makes of a report, in lines for people. */
export function replayReport(
  report: ReadReport,
  withMemory = true,
): { readonly isSame: boolean; readonly findings: readonly Finding[]; readonly text: string } {
  const { input, output, unreadMemory, omittedRows } = report;
  const result = diagnose(withMemory ? input : { ...input, previous: undefined });
  const { same, reworded, onlyInReport, onlyNow } = compareFindings(
    output.findings,
    result.findings,
  );
  const isSame = onlyInReport.length === 0 && onlyNow.length === 0;
  const rows = [...input.rows].length;
  const lines = [
    `${report.node} at ${report.at}, meshprobe ${report.version}: ${rows} rows of ${input.index.size} active nodes`,
    ...(omittedRows > 0 ? [`${omittedRows} rows are not in the report`] : []),
    ...(unreadMemory === undefined || !withMemory
      ? []
      : [`the memory of the findings is of another version and is not used (${unreadMemory})`]),
    isSame
      ? `the same findings as in the report${reworded > 0 ? `, ${reworded} of them in other words` : ''}:`
      : 'other findings than in the report:',
    ...same.map((finding) => line(' ', finding)),
    ...onlyInReport.map((finding) => line('-', finding)),
    ...onlyNow.map((finding) => line('+', finding)),
    ...(output.findings.length + result.findings.length === 0 ? ['  none'] : []),
    ...(result.unexplained > 0 || output.unexplained > 0
      ? [
          `  ${result.unexplained} failing paths without a finding, in the report ${output.unexplained}`,
        ]
      : []),
  ];
  return { isSame, findings: result.findings, text: lines.map(escapeText).join('\n  ') };
}

function line(sign: string, { kind, id, since, direction, text }: Finding): string {
  const way = direction === undefined ? '' : `, ${direction}`;
  return `${sign} ${kind} (${id}${way}) since ${since}: ${text}`;
}
