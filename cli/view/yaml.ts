// A file of its own, so that the YAML library is loaded only where YAML is asked for.
import { stringify } from 'yaml';

/** Data as YAML, no line folded. */
export function toYaml(data: unknown): string {
  return stringify(data, { lineWidth: 0 });
}
