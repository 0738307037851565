import * as z from 'zod';
import { planSchema } from './status.js';
import { countSchema, observersSchema } from './v1/fields.js';

/** Counters of the ICMP echoes since the agent started. */
export const echoCountsSchema = z.looseObject({
  sent: countSchema.describe('Echo requests that were sent'),
  answered: countSchema.describe('Echo requests that were answered in time'),
  late: countSchema.describe('Answers after the deadline'),
  duplicate: countSchema.describe('Further answers to requests that were answered already'),
  foreign: countSchema.describe('Answers that no probe of this agent caused'),
  dropped: countSchema.describe('Answers that this host dropped'),
});

/** What this agent exchanged with the others since it started. */
export const exchangeSchema = z.looseObject({
  observers: observersSchema,
  hints: z.looseObject({
    sent: countSchema.describe('Hints that were sent'),
    received: countSchema.describe('Hints that were received'),
    probed: countSchema.describe('Hints that caused a probe'),
    known: countSchema.describe('Hints that said nothing new'),
    refused: countSchema.describe('Hints that were not followed'),
  }),
  messages: z.looseObject({
    received: countSchema.describe('Messages that were understood'),
    malformed: countSchema.describe('Messages that were not understood'),
    unauthenticated: countSchema.describe('Messages without a valid key'),
    source: countSchema.describe('Messages from an unexpected address'),
  }),
  rowsReceived: countSchema.describe('Rows that were received'),
});
export type ExchangeHealth = z.infer<typeof exchangeSchema>;

export const problemSchema = z
  .looseObject({
    code: z.string().describe('The kind of problem; it stays the same while the text changes'),
    severity: z
      .enum(['error', 'warning'])
      .describe('error: the agent cannot do a part of its work; warning: it still does all of it'),
    text: z.string().describe('The problem in words, as in `problems`'),
  })
  .meta({ id: 'Problem', description: 'A problem of the agent itself' });
export type Problem = z.infer<typeof problemSchema>;

/** The body of `GET /v1beta/healthz`. The fields from `problems` on are not in Cilium's API. */
export const daemonHealthSchema = z
  .looseObject({
    uptime: z.string().describe('A Go duration: 1h2m3.5s'),
    'system-load': z
      .looseObject({ last1min: z.string(), last5min: z.string(), last15min: z.string() })
      .describe('The load averages of the host as decimal numbers'),
    cilium: z
      .looseObject({
        cilium: z.looseObject({ state: z.string(), msg: z.string() }).optional(),
      })
      .optional(),
    problems: z
      .array(z.string())
      .optional()
      .describe('One line for each problem of the agent itself'),
    'problem-details': z
      .array(problemSchema)
      .optional()
      .describe('The same problems in the same order, for programs'),
    plan: planSchema.optional(),
    'event-loop': z
      .looseObject({
        'longest-stall-ms': z
          .number()
          .nonnegative()
          .describe(
            'The longest time of the last minute in which the event loop could do nothing else, because of work at a stretch or for want of a processor, in milliseconds',
          ),
        'longest-starvation-ms': z
          .number()
          .nonnegative()
          .optional()
          .describe(
            'The longest time within one such stall in which the agent got no processor, in milliseconds',
          ),
      })
      .optional(),
    icmp: echoCountsSchema.optional().describe('ICMP echoes since the agent started'),
    'missing-signs': z
      .array(
        z.looseObject({
          signs: z.array(z.string()),
          files: z.string().describe('Where they would be read'),
          because: z
            .string()
            .optional()
            .describe('Why they are not watched; left out, they were not found in those files'),
        }),
      )
      .optional()
      .describe('Signs of this host that are not watched'),
    exchange: exchangeSchema.optional().describe('What the agents sent each other'),
  })
  .meta({ id: 'DaemonHealth', description: 'The agent itself' });
export type DaemonHealth = z.infer<typeof daemonHealthSchema>;

/** The body of every error: a JSON string, as in Cilium's `Error` model. */
export const errorSchema = z
  .string()
  .meta({ id: 'Error', description: 'What was expected, and what was got' });
