import { listOf, mappingOf, textOf, timeOf } from '../object-fields.js';

/** That a node is not ready, as its Ready condition says it. */
export interface NotReady {
  /** `NotReady`, with the reason where there is one: `NotReady (KubeletNotReady)`. */
  readonly text: string;
  /** When the condition changed last, epoch milliseconds; undefined if Kubernetes does not say. */
  readonly sinceAt: number | undefined;
}

/**
 * What the Ready condition in a Node's `status.conditions` says: undefined while its status is
 * `True`. A node without that condition is not ready.
 */
export function notReadyOf(conditions: unknown): NotReady | undefined {
  const ready = listOf(conditions)
    .map(mappingOf)
    .find(({ type }) => type === 'Ready');
  if (ready?.['status'] === 'True') return undefined;
  const reason = textOf(ready?.['reason']);
  return {
    // A reason is one word in CamelCase. Anything else is not shown.
    text: /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(reason) ? `NotReady (${reason})` : 'NotReady',
    sinceAt: timeOf(ready?.['lastTransitionTime']),
  };
}
