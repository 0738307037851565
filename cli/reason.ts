import type { Summary } from '../api/schema/v1/summary.js';

/** Why the verdict is not `ok`, in one sentence without a full stop. An agent may give no reason. */
export function reasonOf({ verdict, reason }: Summary): string {
  return reason ?? `the verdict is ${verdict}`;
}
