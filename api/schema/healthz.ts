import * as z from 'zod';

/**
 * The body of `GET /v1beta/healthz`. `uptime` is a Go duration, the loads are decimal strings, and
 * `problems` (ours) has one line for each thing the agent knows to be wrong with itself.
 */
export const healthzSchema = z.looseObject({
  uptime: z.string(),
  'system-load': z.looseObject({
    last1min: z.string(),
    last5min: z.string(),
    last15min: z.string(),
  }),
  cilium: z
    .looseObject({
      cilium: z.looseObject({ state: z.string(), msg: z.string() }).optional(),
    })
    .optional(),
  problems: z.array(z.string()).optional(),
});
export type Healthz = z.infer<typeof healthzSchema>;

/** Every error body: a JSON string, as Cilium's `Error` model. */
export const errorSchema = z.string();
