import { formatDurationNs } from '../../api/duration.js';
import type { Check, CheckedPath } from '../../api/schema/v1/check.js';
import type { TargetPlane } from '../../api/schema/v1/targets.js';
import { channelText } from '../../api/schema/v1/matrix-cells.js';
import type { ZoneMatrix } from '../../api/schema/v1/matrix.js';
import { countText, secondsText } from './age-text.js';
import type { Paint } from './colour.js';
import { escapeText } from './escape.js';
import { alignColumns } from './tab-writer.js';
import { renderZoneMatrix } from './zone-matrix-text.js';

/** Prints a check: the verdict, what was found, who could not take part, and figures. */
export function renderCheck(check: Check, paint: Paint): string {
  const { matrix, slowest, lossiest } = check;
  const blocks = [
    headLines(check, paint),
    check.findings.flatMap((finding) => findingLines(finding, paint)),
    leftOutLines(check, paint),
    targetLines(check),
    matrix
      ? renderZoneMatrix(matrix as ZoneMatrix, paint)
          .trimEnd()
          .split('\n')
      : [],
    pathLines('Slowest paths', slowest, ({ p50Ns = 0 }) => formatDurationNs(p50Ns)),
    pathLines('Lossiest paths', lossiest, ({ loss = 0 }) => `${(loss * 100).toFixed(1)}%`),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function headLines({ verdict, reason, nodes, seconds }: Check, paint: Paint): string[] {
  const colour = verdict === 'ok' ? 'green' : verdict === 'broken' ? 'red' : 'yellow';
  const word =
    verdict === 'ok' ? 'All is well' : verdict === 'unknown' ? 'Not known' : verdict.toUpperCase();
  const of = `${nodes.checked} of ${countText(nodes.all, 'node')} checked in ${secondsText(seconds)}`;
  return [
    `${paint(colour, word)}: ${of}`,
    ...(verdict === 'unknown' && reason !== undefined ? [escapeText(reason)] : []),
  ];
}

function findingLines(
  { severity, text, evidence, looks = [], target = '', docs }: Check['findings'][number],
  paint: Paint,
): string[] {
  const word = severity === 'broken' ? 'BROKEN' : 'DEGRADED';
  const [path] = evidence;
  const [look] = looks;
  return [
    `${paint(severity === 'broken' ? 'red' : 'yellow', word)}  ${escapeText(text)}`,
    ...(path
      ? [
          `  for example ${escapeText(path.from)} -> ${escapeText(path.to)} ${channelText(path)}: ${escapeText(path.failure)}`,
        ]
      : []),
    ...(look
      ? [
          `  for example ${escapeText(look.from)} -> ${escapeText(look.target ?? target)} from the ${look.plane} plane: ${escapeText(look.failure)}`,
        ]
      : []),
    ...(docs === undefined ? [] : [`  what it means: ${escapeText(docs)}`]),
  ];
}

function leftOutLines({ nodes, notProbed }: Check, paint: Paint): string[] {
  return [
    ...nodes.leftOut.map(
      ({ node, why }) => `${paint('yellow', 'LEFT OUT')}  ${escapeText(node)}: ${escapeText(why)}`,
    ),
    ...notProbed.map((what) => `${paint('yellow', 'NOT PROBED')}  ${escapeText(what)}`),
  ];
}

function targetLines({ targets }: Check): string[] {
  const rows = targets.flatMap(({ name, planes }) =>
    (['host', 'endpoint'] as const).flatMap((plane) => {
      const body = planes[plane];
      return body ? [`${escapeText(name)}\t${plane}\t${reachedText(body)}`] : [];
    }),
  );
  return rows.length === 0 ? [] : tableLines(['Target\tPlane\tReached from\tp50', ...rows]);
}

function reachedText({ reached, p50Ns }: Pick<TargetPlane, 'reached' | 'p50Ns'>): string {
  const rtt = p50Ns === undefined ? '-' : formatDurationNs(p50Ns);
  return `${reached.from} of ${countText(reached.of, 'node')}\t${rtt}`;
}

function pathLines(
  title: string,
  paths: readonly CheckedPath[],
  figure: (path: CheckedPath) => string,
): string[] {
  if (paths.length === 0) return [];
  const rows = paths.map(
    (path) =>
      `${escapeText(path.from)}\t${escapeText(path.to)}\t${channelText(path)}\t${figure(path)}`,
  );
  return [title, ...tableLines(rows)];
}

function tableLines(rows: readonly string[]): string[] {
  return alignColumns([...rows])
    .trimEnd()
    .split('\n');
}
