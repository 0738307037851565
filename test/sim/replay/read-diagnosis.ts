import {
  noticePhases,
  type RowNotice,
  type RowReceiver,
} from '../../../agent/model/row-notices.js';
import * as z from 'zod';
import { findingSchema } from '../../../api/schema/v1/findings.js';
import { indexCluster } from '../../../agent/diagnosis/nouns/cluster-index.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { DiagnosisNode } from '../../../agent/diagnosis/nouns/diagnosis-node.js';
import type { DiagnosisTarget } from '../../../agent/diagnosis/nouns/diagnosis-target.js';
import type { FindingMemory, PastCause } from '../../../agent/diagnosis/nouns/memory.js';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import type { NamedCause } from '../../../agent/diagnosis/nouns/named-cause.js';
import { addressFamilies } from '../../../agent/model/address.js';
import { failureKinds } from '../../../agent/model/failure.js';
import { planes } from '../../../agent/model/path.js';
import type { RowRefutation } from '../../../agent/model/refutation.js';
import {
  tunnelKinds,
  type RowLarge,
  type RowLargeLimit,
  type RowLargeLoss,
  type RowLargePass,
} from '../../../agent/model/row-large.js';
import type {
  Row,
  RowCounts,
  RowFamily,
  RowFlows,
  RowHealth,
  RowList,
  RowPath,
  RowSweep,
  RowZone,
} from '../../../agent/model/row.js';
import {
  hostChanges,
  hostSigns,
  type RowChange,
  type RowSign,
} from '../../../agent/model/row-host.js';
import { rowTargetStates, targetKinds, type RowTarget } from '../../../agent/model/target.js';
import { protocols } from '../../../agent/model/sample.js';

/**
 * A schema for each field of a type, and no other. A new field, also an optional one, is an error
 * here until it is read.
 */
type FieldsOf<T> = { readonly [K in keyof Required<T>]: z.ZodType<T[K]> };

/** A field that is always there, and undefined where JSON leaves it out. */
const orUndefined = <T extends z.ZodType>(schema: T) =>
  schema.optional().transform((value): z.output<T> | undefined => value);

const plane = z.enum(planes);
const protocol = z.enum(protocols);
const perChannel = <T extends z.ZodType>(value: T) => {
  const perProtocol = z.object({ icmp: value, http: value });
  return z.object({ host: perProtocol, endpoint: perProtocol });
};

const nodeSchema = z.object({
  name: z.string(),
  zone: orUndefined(z.string()),
  labels: orUndefined(z.record(z.string(), z.string())),
  phase: z.enum(['active', 'joining', 'leaving', 'excluded']),
  host: z.array(z.string()),
  endpoint: z.array(z.string()),
  movedMs: orUndefined(z.partialRecord(plane, z.number())),
  known: orUndefined(z.string()),
} satisfies FieldsOf<DiagnosisNode>);

const largePass = { node: z.string(), plane, ageSeconds: z.number() };
const largeSchema = z.object({
  lost: z.array(
    z.object({
      ...largePass,
      isBack: z.literal(true).exactOptional(),
      limit: z
        .object({
          bytes: z.number(),
          interfaceBytes: z.number(),
          saidBy: z.string().exactOptional(),
          tunnels: z.array(z.enum(tunnelKinds)).exactOptional(),
        } satisfies FieldsOf<RowLargeLimit>)
        .exactOptional(),
    } satisfies FieldsOf<RowLargeLoss>),
  ),
  passed: z.array(z.object(largePass satisfies FieldsOf<RowLargePass>)),
} satisfies FieldsOf<RowLarge>);

const rowSchema = z.object({
  observer: z.string(),
  version: z.string(),
  httpIntervalMs: z.number(),
  httpTimeoutMs: z.number(),
  health: z.object({
    ready: z.boolean(),
    starved: z.boolean(),
    notSending: z.array(protocol),
  } satisfies FieldsOf<RowHealth>),
  list: z
    .object({ nodes: z.number(), digests: z.array(z.number()) } satisfies FieldsOf<RowList>)
    .exactOptional(),
  counts: perChannel(
    z.object({
      reachable: z.number(),
      unreachable: z.number(),
      unknown: z.number(),
      degraded: z.number(),
    } satisfies FieldsOf<RowCounts>),
  ),
  paths: z.array(
    z.object({
      node: z.string(),
      plane,
      protocol,
      state: z.enum(['unreachable', 'lossy', 'slow', 'unknown']),
      ageSeconds: z.number(),
      failure: z.enum(failureKinds).exactOptional(),
      flows: z
        .object({
          tried: z.number(),
          failing: z.number(),
          sometimes: z.number(),
        } satisfies FieldsOf<RowFlows>)
        .exactOptional(),
      answeredSince: z.number().exactOptional(),
      unheardSeconds: z.number().exactOptional(),
      lost: z.number().exactOptional(),
    } satisfies FieldsOf<RowPath>),
  ),
  namedByZone: z.array(z.string()).exactOptional(),
  omittedNodes: z.number(),
  zones: z.array(
    z.object({
      zone: z.string(),
      plane,
      protocol,
      paths: z.number(),
      p50Ns: z.number(),
      p99Ns: z.number(),
    } satisfies FieldsOf<RowZone>),
  ),
  heard: z.array(z.string()).exactOptional(),
  targets: z
    .array(
      z.object({
        target: z.string(),
        digest: z.number(),
        plane,
        state: z.enum(rowTargetStates),
        ageSeconds: z.number(),
        probedSeconds: z.number(),
        failure: z.enum(failureKinds).exactOptional(),
        p50Ns: z.number().exactOptional(),
        p99Ns: z.number().exactOptional(),
        failingServers: z.array(z.number()).exactOptional(),
        servers: z.object({ count: z.number(), digest: z.number() }).exactOptional(),
      } satisfies FieldsOf<RowTarget>),
    )
    .exactOptional(),
  large: largeSchema.exactOptional(),
  sweeps: z
    .array(
      z.object({
        plane,
        protocol,
        intervalMs: z.number(),
        sweptSeconds: z.number().exactOptional(),
        unansweredSeconds: z.number().exactOptional(),
      } satisfies FieldsOf<RowSweep>),
    )
    .exactOptional(),
  families: z
    .array(
      z.object({
        family: z.enum(addressFamilies),
        plane,
        protocol,
        reachable: z.number(),
        unreachable: z.number(),
        unknown: z.number(),
      } satisfies FieldsOf<RowFamily>),
    )
    .exactOptional(),
  signs: z
    .array(
      z.object({
        sign: z.enum(hostSigns),
        plane,
        ageSeconds: z.number(),
        value: z.number(),
        limit: z.number(),
        about: z.string(),
        orBefore: z.literal(true).exactOptional(),
      } satisfies FieldsOf<RowSign>),
    )
    .exactOptional(),
  notices: z
    .array(
      z.object({
        digest: z.number(),
        version: z.number(),
        failures: z.number(),
        isBeingTold: z.boolean(),
        triedSeconds: z.number(),
        told: z.array(
          z.object({
            digest: z.number(),
            version: z.number(),
            phase: z.enum(noticePhases),
            ageSeconds: z.number(),
            hour: z.number().exactOptional(),
          } satisfies FieldsOf<RowNotice>),
        ),
      } satisfies FieldsOf<RowReceiver>),
    )
    .exactOptional(),
  refutation: z
    .object({
      afterMs: z.number(),
      forMs: z.number(),
      perSecond: z.number(),
    } satisfies FieldsOf<RowRefutation>)
    .exactOptional(),
  changes: z
    .array(
      z.object({
        change: z.enum(hostChanges),
        ageSeconds: z.number(),
        withinSeconds: z.number(),
        about: z.string(),
        from: z.string(),
        to: z.string(),
      } satisfies FieldsOf<RowChange>),
    )
    .exactOptional(),
} satisfies FieldsOf<Row>);

const observedRowSchema = z.object({
  row: rowSchema,
  ageMs: z.number(),
  bodyAgeMs: z.number(),
  freshness: z.enum(['fresh', 'stale']),
  areTargetsWell: z.boolean().exactOptional(),
  tellsOfHost: z.boolean().exactOptional(),
} satisfies FieldsOf<ObservedRow>);

// The contract has it, with the same fields.
const finding = z.custom<Finding>((value) => findingSchema.safeParse(value).success);

const causeSchema = z.object({
  trouble: z.enum(['broken', 'lossy', 'slow', 'mtu']),
  channels: z.number(),
  type: z.enum(['cluster', 'zones', 'group', 'groups', 'node', 'pair']),
  names: z.array(z.string()),
  nodes: z.array(z.string()).exactOptional(),
  target: z.string().exactOptional(),
} satisfies FieldsOf<NamedCause>);

const memorySchema = z.object({
  seenSinceMs: orUndefined(z.number()),
  lastSeenMs: z.number(),
  sinceMs: z.number(),
  shownSinceMs: orUndefined(z.number()),
  openedMs: z.array(z.number()),
  finding: orUndefined(finding),
  closedMs: orUndefined(z.number()),
  // Older reports do not tell these four.
  sureSinceMs: orUndefined(z.number()),
  isUnended: z.boolean().default(false),
  paths: z.number().default(0),
  sentence: z.string().default(''),
  causes: z.array(causeSchema),
  nodes: z.array(z.string()).readonly().exactOptional(),
} satisfies FieldsOf<FindingMemory>);

const pastCauseSchema = causeSchema.extend({
  ways: z.enum(['in', 'out', 'both']),
  isSilent: z.boolean(),
  // Older reports do not tell.
  isUnanswered: z.boolean().default(false),
  working: z
    .object({ share: z.number(), sinceMs: z.number() })
    .readonly()
    .default({ share: 0, sinceMs: 0 }),
  beganMs: z.number(),
  shownMs: z.number(),
  endedMs: orUndefined(z.number()),
  overMs: orUndefined(z.number()),
} satisfies FieldsOf<Omit<PastCause, keyof NamedCause>>);

const outputFields = {
  findings: z.array(finding),
  unexplained: z.number(),
  // Older reports do not tell.
  unexplainedTargets: z.number().default(0),
  // Older reports do not tell.
  notKnown: z
    .array(z.object({ node: z.string(), plane: z.enum(['host', 'endpoint']) }))
    .default([]),
  // Older reports do not tell.
  doubted: z.array(z.object({ node: z.string(), lostMs: z.number() })).default([]),
  opensInMs: orUndefined(z.number()),
  // Older reports do not tell.
  wantsRows: z.boolean().default(false),
  // Older reports do not tell.
  outdated: z.array(z.string()).default([]),
};
const shadowSchema = z.object({
  fromMs: z.number().exactOptional(),
  toMs: z.number(),
  isOver: z.boolean(),
});
const previousSchema = z.object({
  ...outputFields,
  memory: z.array(z.tuple([z.string(), memorySchema])).transform((entries) => new Map(entries)),
  // Older reports do not tell.
  shadows: z
    .array(z.tuple([z.string(), shadowSchema]))
    .default([])
    .transform((entries) => new Map(entries)),
  // Older reports do not tell.
  past: z.array(pastCauseSchema).readonly().default([]),
  // Older reports do not tell.
  stray: z
    .object({ atMs: z.number(), strayMs: z.number(), watchedMs: z.number() })
    .default({ atMs: 0, strayMs: 0, watchedMs: 0 }),
} satisfies FieldsOf<DiagnosisOutput>);

const targetSchema = z.object({
  name: z.string(),
  digest: z.number(),
  kind: z.enum(targetKinds),
  servers: z.array(z.string()).readonly(),
  query: z.string().exactOptional(),
  type: z.string().exactOptional(),
  host: z.string().exactOptional(),
  port: z.number().exactOptional(),
  tlsName: z.string().exactOptional(),
  url: z.string().exactOptional(),
  statusHere: z.number().exactOptional(),
} satisfies FieldsOf<DiagnosisTarget>);

/** A report that does not tell comes from an agent that has run for some time. */
const hourMs = 3_600_000;

/** Milliseconds for some nodes, in the order in which they were written. */
const msByName = z.array(z.tuple([z.string(), z.number()]));

const recordSchema = z.object({
  localName: z.string(),
  probePort: z.number(),
  namespace: orUndefined(z.string()),
  // Older reports have none.
  targets: z.array(targetSchema).readonly().default([]),
  now: z.number(),
  // A report that does not have it has epoch milliseconds in `now`.
  wallOffsetMs: z.number().default(0),
  uptimeMs: z.number().default(hourMs),
  nodes: z.array(nodeSchema),
  // Older reports do not tell.
  groupBy: z.array(z.string()).default([]),
  silentMs: msByName,
  // Older reports do not tell.
  plainForMs: msByName.default([]),
  heardMsAgo: msByName,
  previous: z.unknown().optional(),
  rows: z.array(observedRowSchema),
  omittedRows: z.number(),
  output: z.object(outputFields),
});

/** A diagnosis that was written: what it was made from, and what it found then. */
export interface RecordedDiagnosis {
  readonly input: DiagnosisInput;
  readonly output: Omit<DiagnosisOutput, 'memory' | 'shadows' | 'past' | 'stray'>;
  /** How many rows were left out for their size. */
  readonly omittedRows: number;
  /**
   * Why the memory of the findings could not be read; undefined if it was. Another version wrote it
   * then, and `input.previous` is undefined.
   */
  readonly unreadMemory: string | undefined;
}

/**
 * Reads what `writeDiagnosis` wrote.
 * @throws RangeError that names the first field that is not as expected
 */
export function readDiagnosis(value: unknown): RecordedDiagnosis {
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) throw new RangeError(firstIssue(parsed.error));
  const {
    nodes,
    groupBy,
    plainForMs,
    heardMsAgo,
    previous: written,
    output,
    omittedRows,
    ...plain
  } = parsed.data;
  const previous = orUndefined(previousSchema).safeParse(written);
  // What the agent itself saw change is not written, nor which further addresses answer: it decides nothing.
  type Written = Omit<Required<DiagnosisInput>, 'changesOf' | 'answersAt'>;
  const input: Written = {
    ...plain,
    index: indexCluster(nodes, groupBy),
    plainForMs: new Map(plainForMs),
    heardMsAgo: new Map(heardMsAgo),
    previous: previous.data,
  };
  const unreadMemory = previous.success ? undefined : firstIssue(previous.error);
  return { input, output, omittedRows, unreadMemory };
}

function firstIssue({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'another form'}`;
}
