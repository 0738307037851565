import * as z from 'zod';

/** The body of `GET /liveness` and `GET /readiness`: the reasons against it, and notes. */
export const healthAnswerSchema = z.looseObject({
  ok: z.boolean(),
  reasons: z.array(z.string()),
  notes: z.array(z.string()),
});
export type HealthAnswer = z.infer<typeof healthAnswerSchema>;

/** The body of `GET /status` on the health port. Times are RFC 3339. */
export const componentsReportSchema = z.looseObject({
  healthy: z.boolean(),
  ready: z.boolean(),
  message: z.string(),
  lastUpdate: z.string(),
  components: z.record(
    z.string(),
    z.looseObject({
      /** Whether the component has been well at least once. */
      initialized: z.boolean(),
      /** Whether the component counts for liveness. */
      live: z.boolean(),
      /** Whether the component counts for readiness. */
      ready: z.boolean(),
      ok: z.boolean(),
      message: z.string(),
      updatedAt: z.string(),
    }),
  ),
});
export type ComponentsReport = z.infer<typeof componentsReportSchema>;

/**
 * The body of `GET /healthz` on the health port: the result of each check, made for this request.
 */
export const checkupSchema = z.looseObject({
  ok: z.boolean(),
  reasons: z.array(z.string()),
  checks: z.record(z.string(), z.looseObject({ ok: z.boolean(), message: z.string() })),
});
export type Checkup = z.infer<typeof checkupSchema>;
