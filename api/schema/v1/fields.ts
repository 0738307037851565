import * as z from 'zod';
import { planes, protocols } from './channel.js';

export { planes, protocols, type Channel, type Plane, type Protocol } from './channel.js';

// Every answer is a loose object: a reader keeps fields that a newer agent adds.

export const planeSchema = z.enum(planes).meta({
  id: 'Plane',
  description: 'The network: the node IPs, or the pod-network addresses of the health endpoint',
});

export const protocolSchema = z.enum(protocols).meta({
  id: 'Protocol',
  description: 'ICMP echo, or HTTP GET /hello on the probe port',
});

export const pathStateSchema = z.enum(['unknown', 'reachable', 'unreachable']).meta({
  id: 'PathState',
  description: 'The state of one path by one protocol',
});

/** RFC 3339. */
export const timeSchema = z.string().meta({ format: 'date-time', description: 'RFC 3339' });

export const nodeNameSchema = z.string().meta({
  description: 'Full name of a node: CLUSTER/NAME',
  examples: ['cluster1/node1'],
});

export const knownSchema = z.string().meta({
  description: 'What the cluster itself says is wrong with the node, and since when (RFC 3339)',
  examples: ['Kubernetes: NotReady since 2026-01-31T14:02:07Z'],
});

export const countSchema = z.int().nonnegative();

export const nanosecondsSchema = z.int().nonnegative().meta({ description: 'Nanoseconds' });

export const secondsSchema = z.number().nonnegative().meta({ description: 'Seconds' });

/** The number of the other agents by their last report: fresh, old, or none at all. */
export const observersSchema = z
  .looseObject({
    fresh: countSchema.describe('Agents whose row is recent'),
    stale: countSchema.describe('Agents whose row is old'),
    silent: countSchema.describe('Agents that never sent a row'),
    oldestSeconds: secondsSchema.optional().describe('Age of the oldest row in seconds'),
  })
  .meta({
    id: 'Observers',
    description:
      'The other agents, by the age of the row they sent. The agent that answers is not counted',
  });
export type Observers = z.infer<typeof observersSchema>;
