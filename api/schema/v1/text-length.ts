import * as z from 'zod';

/**
 * A text with a length in characters, as JSON Schema counts it. The length of a string in
 * JavaScript counts some characters twice.
 */
export function textOf(min: number, max: number, expected: string): z.ZodType<string, string> {
  return z
    .string(expected)
    .refine((text) => {
      const { length } = Array.from(text);
      return length >= min && length <= max;
    }, expected)
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}
