import * as z from 'zod';

/** Some 8,000 tokens of a language model. */
const maxPageBytes = 32_768;

/** What a tool with pages takes. */
export function pageInput(usual: number, most: number) {
  return {
    limit: z
      .int()
      .min(1)
      .max(most)
      .default(usual)
      .describe('Entries on a page; fewer where they are long'),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, 'expected the nextCursor of the previous page')
      .optional()
      .describe('The nextCursor of the previous page'),
  };
}

/** What it tells of its pages. */
export const pageOutput = {
  total: z.int().nonnegative().describe('Entries on all pages together'),
  nextCursor: z.string().optional().describe('Given as cursor, it asks for the next page'),
};

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly nextCursor?: string;
}

/** The entries from the cursor on: at least one, then as many as the limit and 32 KB of JSON allow. */
export function pageOf<Item>(
  all: readonly Item[],
  { limit, cursor = '0' }: { readonly limit: number; readonly cursor?: string | undefined },
): Page<Item> {
  const from = Number(cursor);
  const items = fitting(all.slice(from, from + limit));
  const next = from + items.length;
  const total = all.length;
  return { items, total, ...(next < total && { nextCursor: String(next) }) };
}

/** The first entries that fit on a page: at least one. */
export function fitting<Item>(items: readonly Item[]): readonly Item[] {
  let bytes = 0;
  const tooLong = items.findIndex((item, at) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return at > 0 && bytes > maxPageBytes;
  });
  return tooLong < 0 ? items : items.slice(0, tooLong);
}
