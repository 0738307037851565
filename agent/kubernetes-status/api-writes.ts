import type { ApiWrite } from '../discovery/kubernetes/api-client.js';
import { networkConditionType } from '../discovery/kubernetes/network-condition.js';
import type { ConditionWrite } from './condition-reconciler.js';
import type { EventWrite } from './event-reconciler.js';
import type { Series } from './event-series.js';
import { microseconds, wholeSeconds } from './kubernetes-text.js';

/** All agents write under this name, so that none of them takes a field from another. */
const fieldManager = 'meshprobe';
const controller = 'meshprobe.dev/agent';

/** An Event about an object without a namespace is in this one, as Kubernetes demands. */
const eventsPath = '/apis/events.k8s.io/v1/namespaces/default/events';

/**
 * Server-side apply of the condition. The conditions of a node are a list by type, so the others
 * stay whose they are.
 */
export function applyCondition({ node, uid, condition }: ConditionWrite): ApiWrite {
  const { status, reason, message, sinceAt } = condition;
  const lastTransitionTime = wholeSeconds(sinceAt);
  const type = networkConditionType;
  return {
    method: 'PATCH',
    path: `/api/v1/nodes/${encodeURIComponent(node)}/status?fieldManager=${fieldManager}&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Node',
      // A node that was made anew under the same name is another one.
      metadata: { name: node, uid },
      status: { conditions: [{ type, status, reason, message, lastTransitionTime }] },
    }),
  };
}

/** A new Event. */
export function createEvent(write: EventWrite, reportingInstance: string): ApiWrite {
  const { name, node, uid, reason, note, atMs } = write;
  return {
    method: 'POST',
    path: `${eventsPath}?fieldManager=${fieldManager}`,
    contentType: 'application/json',
    body: JSON.stringify({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace: 'default' },
      eventTime: microseconds(atMs),
      reportingController: controller,
      reportingInstance: reportingInstance.slice(0, 128),
      action: 'Probing',
      type: 'Warning',
      reason,
      note,
      regarding: { apiVersion: 'v1', kind: 'Node', name: node, uid },
    }),
  };
}

/** Asks for an Event without a right to read: a patch that changes nothing is answered with it. */
export function readEvent(name: string): ApiWrite {
  return patchEvent(name, {});
}

/** That an Event has come again. Nothing else of an Event may change. */
export function patchSeries(name: string, { count, lastAt }: Series): ApiWrite {
  return patchEvent(name, { series: { count, lastObservedTime: microseconds(lastAt) } });
}

function patchEvent(name: string, change: object): ApiWrite {
  return {
    method: 'PATCH',
    path: `${eventsPath}/${name}?fieldManager=${fieldManager}`,
    contentType: 'application/merge-patch+json',
    body: JSON.stringify(change),
  };
}
