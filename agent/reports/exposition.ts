import type { MetricFamily } from './metric-families.js';

/** One series of a family. Those of a histogram have names of their own, such as `..._bucket`. */
export interface Series<L extends string = string> {
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Readonly<Partial<Record<L, string>>>;
  readonly value: number;
}

export const expositionContentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Writes one family in Prometheus' text format. Series of the same name and labels are added up,
 * because a scrape must not have one twice.
 */
export function familyText(
  name: string,
  { type, help }: MetricFamily,
  series: readonly Series[],
): string {
  const values = new Map<string, number>();
  for (const { suffix = '', labels = {}, value } of series) {
    const key = `${name}${suffix}${labelsText(labels)}`;
    values.set(key, (values.get(key) ?? 0) + value);
  }
  let text = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
  for (const [key, value] of values) text += `${key} ${numberText(value)}\n`;
  return text;
}

function labelsText(labels: NonNullable<Series['labels']>): string {
  const parts = Object.entries(labels).map(
    ([label, value]) => `${label}="${escapeLabel(value ?? '')}"`,
  );
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

/** Go reads what JavaScript writes, but for infinities. */
function numberText(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
