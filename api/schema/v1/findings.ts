import * as z from 'zod';
import {
  countSchema,
  knownSchema,
  nanosecondsSchema,
  nodeNameSchema,
  observersSchema,
  planeSchema,
  protocolSchema,
  timeSchema,
} from './fields.js';
import { findingKinds } from './finding-kinds.js';
import { findingChangeSchema, findingSignSchema, hostSignNameSchema } from './host.js';
import type { ReadOnly } from './read-only.js';

export const findingKindSchema = z.string().meta({
  id: 'FindingKind',
  description: `One of ${findingKinds.join(', ')}; a reader treats any other as \`other\``,
  examples: [...findingKinds],
});

export const severitySchema = z.enum(['broken', 'degraded']).meta({ id: 'Severity' });
export type Severity = z.infer<typeof severitySchema>;

const tracedHopSchema = z.looseObject({
  ttl: z.int().min(1).max(255),
  address: z.string().describe('IP address'),
  rttNs: nanosecondsSchema,
});

export const evidenceTraceSchema = z
  .looseObject({
    hops: z.array(tracedHopSchema).max(20).describe('Those that answered'),
    isReached: z.boolean().describe('The end of the path answered itself'),
    lastAnswering: tracedHopSchema,
    port: z
      .int()
      .optional()
      .describe('Source port of the flow that was traced, which never passes while others do'),
    sibling: z
      .looseObject({ to: nodeNameSchema, hops: z.array(tracedHopSchema).max(20) })
      .optional()
      .describe(
        'A path of the same observer that works, traced for comparison; another flow of the same path where `port` is given',
      ),
    parting: z
      .looseObject({
        after: tracedHopSchema.describe('The last hop that answers on both'),
        next: tracedHopSchema.describe('The next hop that answers of the path that works'),
      })
      .optional(),
  })
  .meta({ id: 'EvidenceTrace', description: 'The routers on the way, as one witness traced it' });
export type EvidenceTrace = ReadOnly<z.infer<typeof evidenceTraceSchema>>;

export const evidenceSchema = z
  .looseObject({
    from: nodeNameSchema.describe('The observer'),
    to: nodeNameSchema,
    plane: planeSchema,
    protocol: protocolSchema,
    failure: z.string().describe('The failure in words'),
    since: timeSchema,
    ports: z
      .array(z.int())
      .max(64)
      .optional()
      .describe(
        'Source ports of its flows that never pass; only of paths of the agent that answers',
      ),
    trace: evidenceTraceSchema
      .optional()
      .describe('Only of a path of the agent that answers, where it is one of `tracedBy`'),
  })
  .meta({ id: 'Evidence', description: 'One failing path that a finding explains' });
export type Evidence = ReadOnly<z.infer<typeof evidenceSchema>>;

export const targetLookSchema = z
  .looseObject({
    from: nodeNameSchema.describe('The observer'),
    target: z.string().optional().describe('Absent: the `target` of the finding'),
    plane: planeSchema.describe('From where it looked'),
    failure: z.string().describe('The failure in words'),
    since: timeSchema,
  })
  .meta({ id: 'TargetLook', description: 'One look at a target that a finding explains' });
export type TargetLook = ReadOnly<z.infer<typeof targetLookSchema>>;

const pairSchema = z.tuple([z.string(), z.string()]);

export const findingSchema = z
  .looseObject({
    id: z.string().describe('The same while the finding lasts, and on every agent that sees it'),
    kind: findingKindSchema,
    severity: severitySchema,
    node: nodeNameSchema
      .optional()
      .describe('The node of the finding; absent if it is not about one node'),
    zones: z
      .array(z.string())
      .min(1)
      .max(2)
      .optional()
      .describe('The two zones between which paths fail; a single zone is cut off from all others'),
    group: z
      .looseObject({
        label: z.string(),
        value: z.string(),
        and: z
          .looseObject({ label: z.string(), value: z.string() })
          .optional()
          .describe('A second label and value that all of them have too; absent: one is enough'),
        nodes: countSchema.describe('How many nodes have that value, or both'),
        like: z
          .array(z.string())
          .optional()
          .describe(
            'Other labels with the very same nodes, as `label=value`, two with a comma between them; absent: none',
          ),
      })
      .optional()
      .describe('Of `group`: what the failing nodes have in common, and the others have not'),
    groups: z
      .array(
        z.looseObject({
          label: z.string(),
          value: z.string(),
          nodes: countSchema.describe('How many nodes have that value'),
          like: z
            .array(z.string())
            .optional()
            .describe('Other labels with the very same nodes, as `label=value`; absent: none'),
        }),
      )
      .min(2)
      .max(2)
      .optional()
      .describe(
        'Of `group`, in place of the field `group`: two values of one label; paths between the nodes with the one and those with the other fail',
      ),
    target: z
      .string()
      .optional()
      .describe(
        'The target of the finding; its node, zones or plane are those that cannot reach it',
      ),
    targets: z
      .array(z.string())
      .optional()
      .describe(
        '`target` and others that fail there by the same cause; absent: it is the only one',
      ),
    servers: z
      .array(z.string())
      .optional()
      .describe('The DNS servers of the target that fail, if others of it answer'),
    pair: pairSchema.optional().describe('The observer and the node between which paths fail'),
    family: z
      .enum(['ipv4', 'ipv6'])
      .optional()
      .describe('Of `address-family`: the family of the second addresses that fail'),
    plane: planeSchema.optional(),
    size: countSchema
      .optional()
      .describe(
        'Of `mtu`: packets of more bytes are lost; absent where the witnesses do not agree',
      ),
    protocols: z.array(protocolSchema).optional(),
    direction: z
      .enum(['inbound', 'outbound', 'both'])
      .optional()
      .describe(
        'inbound: probes to the node fail, and its own probes to others work; of two nodes, zones or groups it is that of the first',
      ),
    local: z.boolean().optional().describe("True if it is about the agent's own node"),
    since: timeSchema,
    seenBy: z
      .looseObject({ failing: countSchema, of: countSchema })
      .describe('How many observers see the failure, and how many could see it'),
    looked: z
      .looseObject({ of: countSchema })
      .optional()
      .describe(
        'How many of them see it or have certainly probed since it began: the text counts these',
      ),
    explains: countSchema.describe(
      'Failing pairs that the finding explains; of a target the failing looks, one from each plane of a node',
    ),
    confidence: z.number().min(0).max(1).describe('Share, 0 to 1'),
    text: z.string().describe('One sentence for people'),
    flows: z
      .looseObject({
        failing: countSchema.describe('Flows that failed each time'),
        tried: countSchema.describe('Flows of the same paths that were tried'),
      })
      .optional()
      .describe('Of `lossy`: flows that never pass beside others that do; absent: none is known'),
    sign: hostSignNameSchema.optional().describe('Of `host-sign`: which one it is'),
    signs: z
      .array(findingSignSchema)
      .max(4)
      .optional()
      .describe(
        'What the hosts at its ends show since at most five minutes before or after it began, the nearest first: at the same time, which is no cause',
      ),
    changes: z
      .array(findingChangeSchema)
      .max(4)
      .optional()
      .describe(
        'What changed on the hosts at its ends in the five minutes before it began, the nearest first: before, which is no cause',
      ),
    known: knownSchema.optional(),
    docs: z
      .string()
      .optional()
      .describe('The address of a text about this kind: what it means, and what to do'),
    count: countSchema
      .optional()
      .describe('How many nodes, pairs or zones a finding stands for; absent: one'),
    examples: z
      .array(z.string())
      .max(16)
      .optional()
      .describe('Names of some that the finding stands for, if it stands for more than one'),
    next: z.array(z.string()).describe('One to three commands that an operator can paste'),
    tracedBy: z
      .array(nodeNameSchema)
      .max(3)
      .optional()
      .describe('The observers that trace one of the paths: ask them for the `trace`'),
    evidence: z.array(evidenceSchema).describe('Up to ten failing pairs'),
    looks: z
      .array(targetLookSchema)
      .optional()
      .describe('Up to ten failing looks at the target; only where it has one'),
  })
  .meta({ id: 'Finding', description: 'One cause that explains failing paths' });
export type Finding = ReadOnly<z.infer<typeof findingSchema>>;

/** The body of `GET /v1/findings`. */
export const findingsSchema = z
  .looseObject({
    at: timeSchema,
    observers: observersSchema,
    findings: z.array(findingSchema).describe('The worst first, at most 64'),
    unexplained: countSchema
      .optional()
      .describe('Failing pairs that no finding of the list explains'),
    unexplainedTargets: countSchema
      .optional()
      .describe('Targets that fail somewhere where no finding of the list explains it'),
  })
  .meta({ id: 'Findings' });
export type Findings = ReadOnly<z.infer<typeof findingsSchema>>;
