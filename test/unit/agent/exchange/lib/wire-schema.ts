import * as z from 'zod';

/**
 * The schema of an exchange's body, written a second time. Tests compare the validators of the hot
 * path with it.
 */
const count = z.int().min(0).max(1_000_000);
const bit = z.union([z.literal(0), z.literal(1)]);
/** Newer agents may send more than is known here. */
const newer = z.int().min(0).max(255);
const mostItems = 16;
const age = z
  .int()
  .min(0)
  .max(366 * 86_400);
const rttNs = z.int().min(0).max(3_600_000_000_000);
const amount = z.int().min(0).max(1e12);
const ms = z.int().min(0).max(1e10);

/** No two items of a list may have the same key. */
const isUnique = (entries: readonly (readonly unknown[])[]): boolean =>
  new Set(entries.map(([first]) => first)).size === entries.length;

const counts = z
  .tuple([count, count, count, count], count)
  .refine((all) => all[3] <= all[0] && all.length <= mostItems);
const path = z
  .tuple([newer, newer, age, z.int().min(-1).max(255)], rttNs)
  .refine((all) => all.length <= mostItems);
const node = z
  .tuple([z.string().regex(/^[A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}$/), bit], path)
  .refine(([, , ...paths]) => paths.length >= 1 && paths.length <= mostItems && isUnique(paths));
const zoneEntry = z
  .tuple([newer, count, rttNs, rttNs], rttNs)
  .refine((all) => all[2] <= all[3] && all.length <= mostItems);
const zone = z
  .tuple([z.string().regex(/^[A-Za-z0-9_./-]{0,127}$/)], zoneEntry)
  .refine(([, ...entries]) => entries.length <= mostItems && isUnique(entries));
const health = z
  .tuple([bit, bit], z.string().regex(/^[a-z0-9-]{1,16}$/))
  .refine(([, , ...names]) => new Set(names).size === names.length && names.length <= mostItems);

const mask = z.int().min(0).max(0xffff);
const targetPlane = z
  .tuple([newer, newer, age, age, z.int().min(-1).max(255), rttNs, rttNs, mask], rttNs)
  .refine((all) => all[5] <= all[6] && all.length <= mostItems);
const target = z
  .tuple(
    [z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/), z.int().min(0).max(0xffff_ffff)],
    targetPlane,
  )
  .refine(([, , ...seen]) => seen.length >= 1 && seen.length <= mostItems && isUnique(seen));

const nodeName = z.string().regex(/^[A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}$/);
const limit = z
  .tuple([
    z.int().min(68).max(65_535),
    z.int().max(65_535),
    z.union([z.literal(''), z.ipv4(), z.ipv6()]),
    newer.optional(),
  ])
  .refine(([bytes, interfaceBytes]) => interfaceBytes > bytes);
/** Newer agents may add items behind those that are known. */
const largePath = (more: z.ZodType) =>
  z
    .array(z.unknown())
    .min(3)
    .max(mostItems)
    .refine(
      ([name, plane, ageSeconds, ...rest]) =>
        z.tuple([nodeName, newer, age]).safeParse([name, plane, ageSeconds]).success &&
        more.safeParse(rest).success,
    );
const largeList = (item: ReturnType<typeof largePath>) =>
  z
    .array(item)
    .max(64)
    .refine((all) => isUnique(all.map(([name, plane]) => [`${String(plane)} ${String(name)}`])));
const large = z.looseObject({
  lost: largeList(
    largePath(
      z
        .array(z.unknown())
        .refine(
          ([isBack, ...found]) =>
            bit.safeParse(isBack).success &&
            (found.length === 0 || limit.safeParse(found.slice(0, 4)).success),
        ),
    ),
  ),
  passed: largeList(largePath(z.unknown())),
});

const ageOrNone = z.union([z.literal(-1), age]);

/** A channel, its interval, when it was swept, and for how long nothing was answered; newer agents may add items. */
const sweep = z
  .tuple([newer, ms, ageOrNone, ageOrNone.optional()], z.unknown())
  .refine((all) => all.length <= mostItems);

/** A sign of a host: what, where, since when, two figures, and what it is about. */
const sign = z
  .array(z.unknown())
  .min(6)
  .max(mostItems)
  .refine(
    (all) =>
      z
        .tuple([
          ...([newer, newer, age, amount, amount] as const),
          z.string().regex(/^[A-Za-z0-9_.:@+-]{0,32}$/),
          newer.optional(),
        ])
        .safeParse(all.slice(0, 7)).success,
  );
/** A change on a host: which, since when, within what time, about what, before and after. */
const changeValue = z.string().regex(/^[A-Za-z0-9_.:@/+,=% -]{0,64}$/);
const change = z
  .array(z.unknown())
  .min(6)
  .max(mostItems)
  .refine(
    (all) =>
      z
        .tuple([
          newer,
          age,
          age,
          z.string().regex(/^[A-Za-z0-9_.:@+-]{0,32}$/),
          changeValue,
          changeValue,
        ])
        .safeParse(all.slice(0, 6)).success,
  );
const signs = z
  .array(sign)
  .max(8)
  .refine((all) =>
    isUnique(all.map(([which, where, , , , about]) => [[which, where, about].join(' ')])),
  );

const digest = z
  .int()
  .min(0)
  .max(2 ** 48 - 1);
const noticeVersion = z
  .int()
  .min(0)
  .max(2 ** 40);
const hour = z
  .int()
  .min(0)
  .max(2 ** 21);
/** What was told of a finding: digest, version, phase, age, the hour of its ids; newer agents may add numbers. */
const told = z
  .tuple([digest, noticeVersion, newer, age, hour.optional()], rttNs)
  .refine((all) => all.length <= 20);
/** A receiver of notices: digest, version, failures, whether it is being told, the last try, and what was told. */
const receiver = z
  .array(z.unknown())
  .min(6)
  .max(22)
  .refine(
    (all) =>
      z
        .tuple([
          digest,
          noticeVersion,
          newer,
          bit,
          age,
          z
            .array(told)
            .max(32 + mostItems)
            .refine(isUnique),
        ])
        .safeParse(all.slice(0, 6)).success,
  );

/** How many nodes the list has, 16 digests of four bytes each as base64, and what a newer agent adds. */
const list = z
  .tuple([count, z.string().regex(/^[A-Za-z0-9+/]{86}==$/)], z.unknown())
  .refine((all) => all.length <= mostItems);

const nodes = z.array(node).max(64).refine(isUnique);

/** A row in its wire form. */
export const wireRowSchema = z
  .looseObject({
    version: z.string().regex(/^[0-9A-Za-z.+-]{1,32}$/),
    httpIntervalMs: ms,
    httpTimeoutMs: ms,
    health,
    refutation: z
      .tuple([ms, ms, z.int().min(0).max(10_000)], z.unknown())
      .refine((all) => all.length <= mostItems)
      .optional(),
    counts: z
      .tuple([counts, counts, counts, counts], counts)
      .refine((all) => all.length <= mostItems),
    omittedNodes: count,
    list: list.optional(),
    targets: z.array(target).max(16).refine(isUnique).optional(),
    large: large.optional(),
    signs: signs.optional(),
    changes: z.array(change).max(4).optional(),
    notices: z
      .array(receiver)
      .max(4 + mostItems)
      .refine(isUnique)
      .optional(),
    sweeps: z.array(sweep).max(mostItems).refine(isUnique).optional(),
    zones: z.array(zone).max(16).refine(isUnique),
    nodes,
    namedByZone: nodes.optional(),
  })
  .refine(({ nodes, namedByZone = [] }) => isUnique([...nodes, ...namedByZone]));
