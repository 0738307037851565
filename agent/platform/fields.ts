import { ConfigError } from './errors.js';
import { formatValue } from './format-value.js';

/** A value of a definition, and its place for messages: `targets[3].http.url`. */
export interface Field {
  readonly at: string;
  readonly value: unknown;
  /** The definition may have a secret in the wrong place: a message shows a value only if it looks like a word of ours. */
  readonly mayBeSecret?: boolean;
}

/** A mapping of a definition. */
export interface Fields {
  readonly at: string;
  /** The names of the keys that have a value, in the order of the text. */
  readonly given: readonly string[];
  field(key: string): Field;
}

/**
 * @param place where in the text that is, if not at the field
 * @throws ConfigError, one line: the field, what was expected, what was got
 */
export function refuse(
  { at, value, mayBeSecret = false }: Field,
  expected: string,
  place = at,
): never {
  const got = mayBeSecret ? wordOrForm(value) : formatValue(withoutSecrets(value));
  throw new ConfigError(`${at}: expected ${expected}, got ${got}`, place);
}

/** A word or a short number as it is; of any other text or number what it is, and how long. */
function wordOrForm(value: unknown): string {
  const isText = typeof value === 'string';
  if (!isText && typeof value !== 'number' && typeof value !== 'bigint') return formatValue(value);
  const text = String(value);
  if (/^([a-z_-]{0,20}|\d{1,4}[a-z]{0,2})$/i.test(text)) return formatValue(value);
  return isText ? `a text of ${text.length} characters` : `a number of ${text.length} digits`;
}

/** What stands before an `@`, or in the query of a URL, may be a password. */
function withoutSecrets(value: unknown): unknown {
  return typeof value !== 'string' ? value : value.replace(/^.*@/s, '…@').replace(/\?.*$/s, '?…');
}

/** Whether nothing was given: YAML writes that as null, too. */
export function isMissing({ value }: Field): boolean {
  return value === undefined || value === null;
}

/**
 * Reads a mapping.
 * @param place of its fields, where that is not its own
 * @throws ConfigError where it is none, or has other keys
 */
export function readMapping(field: Field, keys: readonly string[], place = field.at): Fields {
  const { value, ...around } = field;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(field, `a mapping with ${keys.join(', ')}`);
  }
  const placeOf = (key: string): string => (place === '' ? key : `${place}.${key}`);
  const unknownKey = Object.keys(value).find((key) => !keys.includes(key));
  if (unknownKey !== undefined) {
    // It may be a whole header: `Authorization: Bearer ...`.
    const name = unknownKey.replace(/:.*$/s, ':…');
    const expected = `no keys but ${keys.join(', ')}`;
    refuse({ ...around, value: name }, expected, placeOf(unknownKey));
  }
  const values = value as Readonly<Record<string, unknown>>;
  const at = (key: string): Field => ({
    ...around,
    at: placeOf(key),
    value: values[key],
  });
  return {
    at: place,
    given: Object.keys(value).filter((key) => !isMissing(at(key))),
    field: at,
  };
}

/**
 * Reads a list, or one item in place of a list.
 * @throws ConfigError where it is longer than allowed
 */
export function readList<T>(field: Field, most: number, read: (item: Field) => T): T[] {
  if (isMissing(field)) return [];
  const { at, value, ...around } = field;
  if (!Array.isArray(value)) return [read(field)];
  if (value.length > most) refuse(field, `a list of at most ${most}`);
  return value.map((item: unknown, index) =>
    read({ ...around, at: `${at}[${index}]`, value: item }),
  );
}

/** @throws ConfigError where it is none of the words */
export function readWord<const T extends string>(
  field: Field,
  words: readonly T[],
  standard: T,
): T {
  if (isMissing(field)) return standard;
  return words.find((word) => word === field.value) ?? refuse(field, words.join(' or '));
}

/** @throws ConfigError where it is no whole number within the bounds */
export function readNumber(field: Field, min: number, max: number): number {
  const { value } = field;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  return refuse(field, `a whole number from ${min} to ${max}`);
}
