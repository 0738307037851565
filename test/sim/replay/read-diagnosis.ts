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
import type {
  FindingMemory,
  LivesSince,
  Opening,
  PastCause,
} from '../../../agent/diagnosis/nouns/memory.js';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import type { NamedCause } from '../../../agent/diagnosis/nouns/named-cause.js';
import { planes } from '../../../agent/model/path.js';
import type { Row } from '../../../agent/model/row.js';
import { targetKinds } from '../../../agent/model/target.js';

/**
 * A schema for each field of a type, and no other. A new field, also an optional one, is an error
 * here until it is read.
 */
type FieldsOf<T> = { readonly [K in keyof Required<T>]: z.ZodType<T[K]> };

// Older reports do not tell what has a default here.

/** A field that is always there, and undefined where JSON leaves it out. */
const orUndefined = <T extends z.ZodType>(schema: T) =>
  schema.optional().transform((value): z.output<T> | undefined => value);

const plane = z.enum(planes);

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

const headOfRow = z.object({
  observer: z.string(),
  version: z.string(),
  counts: z.record(plane, z.unknown()),
  paths: z.array(z.unknown()),
});
/** A row stands there as the diagnosis read it. It is taken whole, whatever agent wrote it. */
const row = z.custom<Row>((value) => headOfRow.safeParse(value).success);

const observedRowSchema = z.object({
  row,
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

const openingSchema = z.object({
  atMs: z.number(),
  direction: orUndefined(z.enum(['inbound', 'outbound', 'both'])),
} satisfies FieldsOf<Opening>);

const memorySchema = z.object({
  seenSinceMs: orUndefined(z.number()),
  lastSeenMs: z.number(),
  sinceMs: z.number(),
  shownSinceMs: orUndefined(z.number()),
  openings: z.array(openingSchema).default([]),
  finding: orUndefined(finding),
  closedMs: orUndefined(z.number()),
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
  isUnanswered: z.boolean().default(false),
  isAnswered: z.boolean().default(false),
  working: z
    .object({ share: z.number(), sinceMs: z.number() })
    .readonly()
    .default({ share: 0, sinceMs: 0 }),
  failing: z
    .object({ share: z.number(), sinceMs: z.number(), lastMs: z.number() })
    .readonly()
    .default({ share: 0, sinceMs: 0, lastMs: 0 }),
  beganMs: z.number(),
  shownMs: z.number(),
  endedMs: orUndefined(z.number()),
  overMs: orUndefined(z.number()),
} satisfies FieldsOf<Omit<PastCause, keyof NamedCause>>);

const livesSinceSchema = z.object({
  heardMs: orUndefined(z.number()),
  isLasting: z.boolean(),
} satisfies FieldsOf<LivesSince>);

const outputFields = {
  findings: z.array(finding),
  unexplained: z.number(),
  unexplainedTargets: z.number().default(0),
  notKnown: z.array(z.object({ node: z.string(), plane })).default([]),
  suspected: z.array(z.object({ node: z.string(), lostMs: z.number() })).default([]),
  opensInMs: orUndefined(z.number()),
  wantsRows: z.boolean().default(false),
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
  shadows: z
    .array(z.tuple([z.string(), shadowSchema]))
    .default([])
    .transform((entries) => new Map(entries)),
  past: z.array(pastCauseSchema).readonly().default([]),
  livesSince: z
    .array(z.tuple([z.string(), livesSinceSchema]))
    .default([])
    .transform((entries) => new Map(entries)),
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
  groupBy: z.array(z.string()).default([]),
  silentMs: msByName,
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
  readonly output: Omit<DiagnosisOutput, 'memory' | 'shadows' | 'past' | 'livesSince' | 'stray'>;
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
