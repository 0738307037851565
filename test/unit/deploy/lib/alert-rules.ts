import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './deployment.js';

export const alertRulesPath = join(root, 'deploy', 'alerts', 'meshprobe.rules.yaml');

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Reads the shipped alert rules. */
export function readAlertRules(): readonly AlertRule[] {
  const { groups } = parse(readFileSync(alertRulesPath, 'utf8')) as {
    groups: { rules: AlertRule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}
