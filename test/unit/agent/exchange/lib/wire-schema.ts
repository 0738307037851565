import * as z from 'zod';

/**
 * The schema of an exchange's body, written a second time. Tests compare the validators of the hot
 * path with it.
 */
const count = z.int().min(0).max(1_000_000);
const bit = z.union([z.literal(0), z.literal(1)]);
const channel = z.int().min(0).max(3);
const age = z
  .int()
  .min(0)
  .max(366 * 86_400);
const rttNs = z.int().min(0).max(3_600_000_000_000);
const ms = z.int().min(0).max(1e10);

/** No two items of a list may have the same key. */
const isUnique = (entries: readonly (readonly unknown[])[]): boolean =>
  new Set(entries.map(([first]) => first)).size === entries.length;

const counts = z
  .tuple([count, count, count, count])
  .refine(([reachable, , , degraded]) => degraded <= reachable);
const path = z.tuple([channel, z.int().min(0).max(3), age, z.int().min(-1).max(8)]);
const node = z
  .tuple([z.string().regex(/^[A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}$/), bit], path)
  .refine(([, , ...paths]) => paths.length >= 1 && paths.length <= 4 && isUnique(paths));
const zoneEntry = z
  .tuple([channel, count, rttNs, rttNs])
  .refine(([, , p50Ns, p99Ns]) => p50Ns <= p99Ns);
const zone = z
  .tuple([z.string().regex(/^[A-Za-z0-9_./-]{0,127}$/)], zoneEntry)
  .refine(([, ...entries]) => entries.length <= 4 && isUnique(entries));
const health = z
  .tuple([bit, bit], z.enum(['icmp', 'http']))
  .refine(([, , ...names]) => new Set(names).size === names.length);

/** A row in its wire form. */
export const wireRowSchema = z.looseObject({
  version: z.string().regex(/^[0-9A-Za-z.+-]{1,32}$/),
  httpIntervalMs: ms,
  httpTimeoutMs: ms,
  health,
  counts: z.tuple([counts, counts, counts, counts]),
  omittedNodes: count,
  zones: z.array(zone).max(16).refine(isUnique),
  nodes: z.array(node).max(64).refine(isUnique),
});

/** The whole body of an exchange. */
export const wireBodySchema = z.looseObject({
  ageMs: z.number().min(0).max(1e12),
  row: wireRowSchema,
});
