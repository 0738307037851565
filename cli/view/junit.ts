import type { Condition } from '../wait-conditions.js';
import { escapeText } from './escape.js';

/**
 * Prints the conditions of a command as a JUnit report. Each condition is a test case that fails with
 * its problems.
 */
export function renderJunit(
  conditions: readonly Condition[],
  seconds: number,
  command: 'wait' | 'check',
): string {
  const failures = conditions.filter(({ problems }) => problems.length > 0).length;
  const time = seconds.toFixed(3);
  const counts = `tests="${conditions.length}" failures="${failures}" errors="0" skipped="0" time="${time}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="meshprobe" ${counts}>`,
    `  <testsuite name="meshprobe ${command}" ${counts}>`,
    ...conditions.map((condition) => testCase(condition, command)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ name, problems }: Condition, command: string): string {
  const open = `    <testcase classname="meshprobe.${command}" name="${escapeXml(name)}" time="0"`;
  if (problems.length === 0) return `${open}/>`;
  const text = problems.map(escapeXml).join('\n');
  return `${open}>\n      <failure message="${escapeXml(problems[0] ?? '')}">${text}</failure>\n    </testcase>`;
}

/** XML 1.0 allows no control characters, not even escaped ones. */
function escapeXml(text: string): string {
  return escapeText(text)
    .replace(/[\ufffe\uffff]/g, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
