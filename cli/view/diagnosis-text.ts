import type { Finding, Findings } from '../../api/schema/v1/findings.js';
import type { NodeEntry } from '../../api/schema/v1/nodes.js';
import { notProbedText } from '../../api/schema/v1/not-probed.js';
import { countObservers } from '../../api/schema/v1/observer-count.js';
import { observersOf } from '../../api/schema/v1/seen-by.js';
import type { Summary } from '../../api/schema/v1/summary.js';
import { reasonOf } from '../reason.js';
import { problemsLines } from './agent-problems-text.js';
import { countText, durationText, secondsText, unexplainedText } from './age-text.js';
import type { Paint } from './colour.js';
import { escapeText } from './escape.js';
import { changeLine, signLine } from './sign-text.js';
import { traceLines } from './finding-trace-text.js';

export interface Diagnosis {
  readonly findings: Findings;
  readonly summary: Summary;
  /** The node in question, if the user named one. */
  readonly node?: NodeEntry;
}

export interface Screen {
  readonly paint: Paint;
  /** The size of the terminal; undefined if the output is not a terminal. */
  readonly rows?: number | undefined;
  readonly columns?: number | undefined;
}

/** Which names of examples are printed: all, or as many as fit into a line. */
type Names = 'all' | 'that fit';

/** Prints the findings that fit, the worst first. Without findings it prints one line. */
export function renderDiagnosis(diagnosis: Diagnosis, screen: Screen): string {
  const { findings } = diagnosis.findings;
  const lines =
    findings.length === 0 ? quietLines(diagnosis, screen) : foundLines(diagnosis, screen);
  return lines.map((line) => `${line}\n`).join('');
}

function quietLines(diagnosis: Diagnosis, { paint }: Screen): string[] {
  const { summary, node } = diagnosis;
  if (node) {
    const line = `${nodeWords(node)} ${knowledge(diagnosis)}`;
    return [line, ...unknownLines(summary, paint), ...problemsLines(summary)];
  }
  const nodes = countText(summary.nodes.active, 'active node');
  if (summary.nodes.active === 0 && summary.verdict === 'unknown') {
    return [`${paint('yellow', escapeText(reasonOf(summary)))}.`, ...problemsLines(summary)];
  }
  const line =
    summary.verdict === 'ok'
      ? `${paint('green', 'All is well')}: no finding for ${nodes}, ${knowledge(diagnosis)}`
      : `${paint('yellow', escapeText(reasonOf(summary)))}: ${nodes}, ${knowledge(diagnosis)}`;
  return [line, ...problemsLines(summary)];
}

/** Why the verdict of the cluster is not known yet; no line if it is known. */
function unknownLines(summary: Summary, paint: Paint): string[] {
  if (summary.verdict !== 'unknown') return [];
  return [paint('yellow', `Not known yet: ${escapeText(reasonOf(summary))}.`)];
}

/** How many observers reach a node, of those that tell: `38 of 39 observers reach it`. */
export function reachText(seenBy: NodeEntry['seenBy'], where = ''): string {
  const { reporting, silent } = observersOf(seenBy);
  if (reporting === 0 && silent > 0) return `none of ${countText(silent, 'observer')} tells of it`;
  const { reachable } = seenBy;
  const others = silent > 0 ? `, ${silent} do not tell` : '';
  return `${reachable} of ${countText(reporting, 'observer')} ${reachable === 1 || reporting === 1 ? 'reaches' : 'reach'} it${where}${others}`;
}

/** Says how many observers the result is based on, and what this agent does not probe. */
function knowledge({ findings, summary }: Diagnosis): string {
  const { stale, silent } = findings.observers;
  const { fresh, all } = countObservers(findings.observers);
  const oldest = summary.observers.oldestSeconds;
  const others = [
    ...(stale > 0 ? [`${stale} stale`] : []),
    ...(silent > 0 ? [`${silent} silent`] : []),
  ];
  const not = others.length > 0 ? ` (${others.join(', ')})` : '';
  const age = oldest === undefined ? '' : `, the oldest row is ${secondsText(oldest)} old`;
  const notProbed = notProbedText(summary.notProbed);
  // The reason of a verdict may say the same.
  const isSaid =
    notProbed === undefined || (findings.findings.length === 0 && summary.reason === notProbed);
  return `by ${fresh} of ${countText(all, 'observer')}${not}${age}${isSaid ? '' : `; ${escapeText(notProbed)}`}.`;
}

function nodeWords({ name, verdict, lifecycle, seenBy }: NodeEntry): string {
  const phase = lifecycle.phase === 'active' ? '' : ` (${lifecycle.phase})`;
  return `${escapeText(name)}${phase} is ${verdict}: no finding names it, ${reachText(seenBy)};`;
}

function foundLines(diagnosis: Diagnosis, screen: Screen): string[] {
  const { findings, at, unexplained = 0, unexplainedTargets = 0 } = diagnosis.findings;
  const title = `${countText(findings.length, 'finding')}, ${knowledge(diagnosis)}`;
  const closing = [
    ...docsLines(findings),
    ...(unexplained + unexplainedTargets > 0
      ? [
          '',
          `${unexplainedText(unexplained, unexplainedTargets)} more, cause not known yet: meshprobe ${unexplained > 0 ? 'matrix --by node' : 'targets'}`,
        ]
      : []),
  ];
  const rows = screen.rows ?? Infinity;
  const heightOf = (lines: readonly string[]) =>
    lines.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(line.length / (screen.columns ?? 80))),
      0,
    );
  // The closing lines, the line that counts the rest, and the prompt also need room.
  const notKnown = [
    ...unknownLines(diagnosis.summary, screen.paint),
    ...problemsLines(diagnosis.summary),
  ];
  const room = rows - 1 - heightOf([...notKnown, ...closing]) - 3;
  const blocksOf = (names: Names) =>
    findings.map((finding, index) => {
      const isOnly = findings.length === 1;
      const maxNext = index === 0 ? (isOnly ? 3 : 2) : 1;
      return ['', ...findingLines(finding, at, screen, maxNext, isOnly, names)];
    });
  const whole = blocksOf('all');
  // Long lists of names would push what is worst, or what else is broken, out of sight.
  const blocks = heightOf(whole.flat()) <= room ? whole : blocksOf('that fit');
  let height = 0;
  const shown = blocks.filter((block, index) => {
    height += heightOf(block);
    return height <= room || index === 0;
  });
  const left = findings.length - shown.length;
  const rest = left > 0 ? ['', `${left} more: meshprobe diagnose | less`] : [];
  return [title, ...notKnown, ...shown.flat(), ...rest, ...closing];
}

/** Where the meaning of the worst finding is written, and what to do. */
function docsLines([worst, ...others]: readonly Finding[]): string[] {
  if (worst?.docs === undefined) return [];
  const which = others.length === 0 ? 'this' : 'the first of them';
  return ['', `What ${which} means, and what to do: ${escapeText(worst.docs)}`];
}

function findingLines(
  finding: Finding,
  at: string,
  { paint, columns = 80 }: Screen,
  maxNext: number,
  withEvidence: boolean,
  names: Names,
): string[] {
  const { severity, text, since, next, evidence, looks = [] } = finding;
  const colour = severity === 'broken' ? 'red' : 'yellow';
  const age = durationText(since, at);
  const facts = [
    ...(finding.local ? ['this is the node you are on'] : []),
    ...(finding.known === undefined ? [] : [escapeText(finding.known)]),
    ...(age === undefined ? [] : [`for ${age}`]),
    `seen by ${finding.seenBy.failing} of ${countText(finding.seenBy.of, 'observer')}`,
    ...(finding.explains > 0
      ? [
          `explains ${countText(finding.explains, finding.target === undefined ? 'failing pair' : 'failing look')}`,
        ]
      : []),
    `${Math.round(finding.confidence * 100)}% sure`,
  ];
  return [
    `${paint(colour, severity === 'broken' ? 'BROKEN' : 'DEGRADED')}  ${escapeText(text)}`,
    `  ${facts.join(', ')}`,
    ...examplesLines(finding, names === 'all' ? Infinity : columns),
    ...(finding.signs ?? []).map(
      (sign) => `  at the same time: ${escapeText(sign.node)}: ${signLine(sign, paint)}`,
    ),
    ...(finding.changes ?? []).map(
      (change) =>
        `  ${placeInTime(change.at, since)}: ${escapeText(change.node)}: ${changeLine(change, paint)}`,
    ),
    ...(withEvidence ? evidence.slice(0, 3).map(evidenceLine) : []),
    ...traceLines(finding),
    ...(withEvidence
      ? looks.slice(0, 3).map((look) => lookLine(look, look.target ?? finding.target))
      : []),
    // Commands are not wrapped, so that they can be pasted.
    ...next
      .slice(0, maxNext)
      .map(
        (command, index) =>
          `  ${index === 0 ? 'next:' : '     '} ${paint('bold', escapeText(command))}`,
      ),
  ];
}

/** How long before a finding a change was found: `15s before it`. What was found after it may have been made before. */
function placeInTime(at: string, since: string): string {
  return at <= since ? `${durationText(at, since) ?? ''} before it`.trimStart() : 'as it began';
}

/** So many ports fill a line. */
const mostPorts = 12;

/** The names of examples. Where a line has no room for all, those that fit and that the text has not. */
function examplesLines({ examples = [], text }: Finding, width: number): string[] {
  const line = (names: readonly string[], end = '') =>
    `  such as ${names.map(escapeText).join(', ')}${end}`;
  if (examples.length === 0) return [];
  if (line(examples).length <= width) return [line(examples)];
  const names = examples.filter((name) => !text.includes(name));
  while (names.length > 0 && line(names, ', ...').length > width) names.pop();
  return names.length > 0 ? [line(names, ', ...')] : [];
}

function evidenceLine(evidence: Finding['evidence'][number]): string {
  const { from, to, plane, protocol, failure, ports = [] } = evidence;
  const path = `${escapeText(from)} -> ${escapeText(to)} ${plane} ${protocol.toUpperCase()}`;
  const shown = ports.slice(0, mostPorts).join(', ');
  const more = ports.length > mostPorts ? ` and ${ports.length - mostPorts} more` : '';
  const never = ports.length > 0 ? `, never passes from the source ports ${shown}${more}` : '';
  return `  for example ${path}: ${escapeText(failure)}${never}`;
}

function lookLine(
  { from, plane, failure }: NonNullable<Finding['looks']>[number],
  target = '',
): string {
  return `  for example ${escapeText(from)} -> ${escapeText(target)} from the ${plane} plane: ${escapeText(failure)}`;
}
