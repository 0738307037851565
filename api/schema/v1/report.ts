import * as z from 'zod';
import { daemonHealthSchema } from '../daemon-health.js';
import { lifecycleSchema, statusSchema } from '../status.js';
import { changeEventSchema } from './events.js';
import { countSchema, nodeNameSchema, timeSchema } from './fields.js';
import { findingsSchema } from './findings.js';
import type { ReadOnly } from './read-only.js';
import { summarySchema } from './summary.js';
import { targetsSchema } from './targets.js';

/** It rises when a reader of older reports would misread a newer one. */
export const reportVersion = 1;

export const reportVersionsSchema = z.looseObject({
  meshprobe: z.string(),
  node: z.string().describe('The version of Node.js'),
  platform: z.string().describe('linux, darwin'),
  kernel: z.string().describe('The release of the kernel'),
  arch: z.string().describe('x64, arm64'),
});

export const reportSettingSchema = z.looseObject({
  value: z
    .unknown()
    .describe(
      'As it was given, the URLs of targets without their query; a secret is in a file, and this is its path',
    ),
  origin: z.string().describe('default, a flag, a variable, or a file and its line'),
});

/** A node as its source lists it. */
export const reportNodeSchema = z.looseObject({
  name: nodeNameSchema,
  host: z.array(z.string()).describe('IP addresses of the node; the first is probed for findings'),
  endpoint: z.array(z.string()).describe('IP addresses of its health endpoint'),
  zone: z.string().optional(),
  lifecycle: lifecycleSchema.optional().describe('Absent: active'),
  incarnation: z.string().optional().describe('Tells it from an earlier node of that name'),
  condition: z
    .looseObject({ name: z.string(), sinceAt: z.number().optional() })
    .optional()
    .describe('What the cluster itself says is wrong with it'),
});

/** The body of `GET /v1/report`, on the unix socket alone. */
export const reportSchema = z
  .looseObject({
    reportVersion: z
      .literal(reportVersion)
      .describe('The form of the report: a reader refuses a version that it does not know'),
    at: timeSchema,
    node: nodeNameSchema.describe('The node of the agent'),
    versions: reportVersionsSchema,
    settings: z
      .record(z.string(), reportSettingSchema)
      .describe('Every setting that has a value, by its name. No key, token or header'),
    health: daemonHealthSchema.describe('The body of GET /v1beta/healthz: problems and plan'),
    summary: summarySchema.describe('The body of GET /v1/summary'),
    findings: findingsSchema.describe('The body of GET /v1/findings'),
    targets: targetsSchema.optional().describe('The body of GET /v1/targets; absent in older ones'),
    nodes: z.array(reportNodeSchema).describe('The node list'),
    diagnosis: z
      .looseObject({
        now: z
          .number()
          .describe('Milliseconds of the monotonic clock, which begins when the agent starts'),
        rows: z
          .array(z.looseObject({}))
          .describe(
            'The rows of all observers with their ages, this agent first. In an outage of hundreds of nodes some rows are not read, and are left out',
          ),
        omittedRows: countSchema.describe('Rows that were left out because they are too many'),
        output: z.looseObject({}).describe('The findings that were made from all of that'),
      })
      .describe(
        'What the findings are made from, with the memory of the last findings: npm run sim -- replay FILE makes them again. Its other fields are those of the code of that version',
      ),
    events: z.array(changeEventSchema).describe('The last changes, the oldest first'),
    status: statusSchema.describe('The body of GET /v1beta/status: every path of this agent'),
  })
  .meta({ id: 'Report', description: 'All that one agent knows, for a bug report' });
export type Report = ReadOnly<z.infer<typeof reportSchema>>;
