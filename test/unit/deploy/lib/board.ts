import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './deployment.js';

/** One panel of the Grafana board. A panel of type `row` is a heading without queries. */
interface Panel {
  readonly title: string;
  readonly type: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly { readonly expr: string }[];
}

export interface Board {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: unknown }[];
  };
}

/** Reads the shipped board as Grafana imports it. */
export function readBoard(): Board {
  const text = readFileSync(join(root, 'deploy', 'grafana', 'meshprobe.json'), 'utf8');
  return JSON.parse(text) as Board;
}

/** Fills in a query as Grafana does, with all jobs chosen and a rate interval such as `30s`. */
export function fillIn(expression: string, rateInterval: string): string {
  return expression.replaceAll('$__rate_interval', rateInterval).replaceAll('$job', '.*');
}
