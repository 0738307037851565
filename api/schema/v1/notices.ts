import * as z from 'zod';
import { countSchema, nodeNameSchema, timeSchema } from './fields.js';
import { findingKindSchema, severitySchema } from './findings.js';
import type { ReadOnly } from './read-only.js';

export const noticeEvents = ['opened', 'changed', 'closed', 'storm', 'test'] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

const receiverSchema = z
  .looseObject({
    name: z.string(),
    type: z.string().describe('webhook, alertmanager or slack; a reader may meet others'),
    failures: countSchema.describe('How often in a row it did not take a message'),
    waiting: countSchema.describe('Messages that it is still to get, from this or another agent'),
  })
  .meta({ id: 'NoticeReceiver', description: 'Who is told. Its address may be a secret' });

/** A test is not kept: whoever makes it sees what came of it. */
const listed = noticeEvents.filter((event) => event !== 'test');

const noticeSchema = z
  .looseObject({
    at: timeSchema,
    receiver: z.string(),
    event: z.string().describe(`One of ${listed.join(', ')}; a reader may meet others`),
    id: z.string().optional().describe('As in the message; absent: another agent told it'),
    finding: z.string().optional().describe('Id of the finding; absent for a storm'),
    kind: findingKindSchema.optional(),
    severity: severitySchema.optional(),
    text: z.string().describe('One sentence for people'),
    outcome: z
      .string()
      .describe(
        'taken, failed (it is tried again), given-up or told (by another agent, as its row says)',
      ),
    answer: z.string().optional().describe('What the receiver answered, in words'),
    by: nodeNameSchema.optional().describe('The node whose agent sent it; absent: another one'),
  })
  .meta({ id: 'Notice', description: 'One message, or one try to send it' });
export type NoticeEntry = ReadOnly<z.infer<typeof noticeSchema>>;

/** The body of `GET /v1/notices`. */
export const noticesSchema = z
  .looseObject({
    at: timeSchema,
    receivers: z.array(receiverSchema).max(4).describe('Empty without --notify-file'),
    notices: z.array(noticeSchema).max(100).describe('The last ones, the newest first'),
  })
  .meta({ id: 'Notices' });
export type Notices = ReadOnly<z.infer<typeof noticesSchema>>;

/** The body of `POST /v1/notices/test`. */
export const noticeTestSchema = z
  .looseObject({
    results: z
      .array(
        z.looseObject({
          receiver: z.string(),
          type: z.string(),
          taken: z.boolean(),
          answer: z.string().describe('What the receiver answered, in words'),
        }),
      )
      .max(4),
  })
  .meta({ id: 'NoticeTest', description: 'What each receiver answered to a test' });
export type NoticeTest = ReadOnly<z.infer<typeof noticeTestSchema>>;
