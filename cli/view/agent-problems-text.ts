import type { Summary } from '../../api/schema/v1/summary.js';
import { countText } from './age-text.js';

/** Counts what is wrong with the agent itself, and names the command that tells it; no line if nothing is. */
export function problemsLines({ problems = [] }: Pick<Summary, 'problems'>): string[] {
  return problems.length === 0
    ? []
    : [`This agent has ${countText(problems.length, 'problem')}: meshprobe get`];
}
