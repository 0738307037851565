import type * as z from 'zod';

const longestQuoted = 100;

/** What a request gives: the parameters of its query, or the fields of its body. */
export type Given = 'parameter' | 'field';

/** What was expected in a request, and what was got, in one sentence. */
export function issueText(
  issue: z.core.$ZodIssue,
  value: unknown,
  schema: z.ZodType,
  given: Given,
): string {
  if (issue.code === 'unrecognized_keys') {
    const known = 'shape' in schema ? Object.keys(schema.shape as object) : [];
    const expected = known.length > 0 ? known.join(', ') : `no ${given}s`;
    return `unknown ${given} ${quote(issue.keys[0])}, expected ${expected}`;
  }
  const at = issue.path.length > 0 ? issue.path.join('.') : 'the body';
  const got = issue.path.reduce<unknown>(
    (within, key) => (within as Partial<Record<PropertyKey, unknown>>)[key],
    value,
  );
  return `${at}: ${expectedText(issue)}, got ${got === undefined ? 'nothing' : quote(got)}`;
}

/** The words of the schema where it has some, which all begin so; else those for the kind of mistake. */
function expectedText(issue: z.core.$ZodIssue): string {
  const { code, message } = issue;
  if (message.startsWith('expected ')) return message;
  if (code === 'invalid_value') return `expected ${issue.values.join(', ')}`;
  if (code === 'invalid_type') return `expected a value of type ${issue.expected}`;
  if (code === 'too_small') return `expected at least ${amount(issue.minimum, issue.origin)}`;
  if (code === 'too_big') return `expected at most ${amount(issue.maximum, issue.origin)}`;
  return message;
}

function amount(limit: number | bigint, origin: string): string {
  if (origin !== 'string') return String(limit);
  return limit === 1 ? '1 character' : `${limit} characters`;
}

function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, longestQuoted));
  return JSON.stringify(value).slice(0, longestQuoted);
}
