import { maxTextLength } from './endpoint-limits.js';

// Checks of values that an endpoint tells: it may be anyone.

// Printable, and no control characters that a terminal would obey.
const textPattern = /^[^\p{Cc}\p{Cs}]*$/u;

/** The fields of a value; undefined where it is no object. */
export function asObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Record<string, unknown>;
}

/** Whether a value is left out, or holds. */
export function isOptional(value: unknown, holds: (value: unknown) => boolean): boolean {
  return value === undefined || holds(value);
}

/** Whether a value is a text that may be shown. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTextLength && textPattern.test(value);
}

/** Whether a value is a number from 0 to a limit. */
export function isNumber(value: unknown, max: number): value is number {
  return typeof value === 'number' && value >= 0 && value <= max;
}

/** The same for a whole number. */
export function isWhole(value: unknown, max: number): value is number {
  return isNumber(value, max) && Number.isInteger(value);
}

/** Whether a value is one of the known words. */
export function isOneOf<T extends string>(value: unknown, known: readonly T[]): value is T {
  return (known as readonly unknown[]).includes(value);
}
