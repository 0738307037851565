import * as z from 'zod';

/** The body of `GET /liveness` and `GET /readiness`: why not, and what is worth knowing besides. */
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
      /** Whether it has been well at least once. */
      initialized: z.boolean(),
      /** Whether it counts for liveness. */
      live: z.boolean(),
      /** Whether it counts for readiness. */
      ready: z.boolean(),
      ok: z.boolean(),
      message: z.string(),
      updatedAt: z.string(),
    }),
  ),
});
export type ComponentsReport = z.infer<typeof componentsReportSchema>;

/** The body of `GET /healthz` on the health port: what each check found just now. */
export const checkupSchema = z.looseObject({
  ok: z.boolean(),
  reasons: z.array(z.string()),
  checks: z.record(z.string(), z.looseObject({ ok: z.boolean(), message: z.string() })),
});
export type Checkup = z.infer<typeof checkupSchema>;
