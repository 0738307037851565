import { maxSocketPathBytes } from '../../api/socket-path-length.js';
import { labelNamePattern } from '../model/node-labels.js';

/**
 * What a setting may be where it stands as YAML for others than the agent to check, as in the values of the
 * chart. It takes all that the agent takes, but for numbers in quotes. Where the agent refuses more than this
 * can say, it takes too much.
 */
export interface SettingForm {
  /** A JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /**
   * What the value looks like as text, with the items of a list joined by commas. It stands beside the schema,
   * whose readers would show it to users in place of words.
   */
  readonly pattern?: string;
  /** What YAML 1.1, which Helm reads, makes of words: `off` without quotes is false. */
  readonly fromYaml11?: Readonly<Record<string, string>>;
  /** The bounds of a duration. */
  readonly minMs?: number;
  readonly maxMs?: number;
}

// The patterns are read by Go too, which has no lookahead.
const byte = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const ipv4 = `${byte}(\\.${byte}){3}`;
const group16 = '[0-9a-fA-F]{1,4}';
const groups = (count: number) => (count === 0 ? '' : `${group16}(:${group16}){${count - 1}}`);
/** `::` stands for one group or more, so at most seven are written beside it. */
const shortened = Array.from({ length: 8 }, (_, before) => {
  const after = 7 - before;
  const tails = after === 0 ? [] : [`${group16}(:${group16}){0,${after - 1}}`];
  if (after >= 2) tails.push(`(${group16}:){0,${after - 2}}${ipv4}`);
  return `${groups(before)}::${tails.length === 0 ? '' : `(${tails.join('|')})?`}`;
});
const ipv6 = `(${[groups(8), `(${group16}:){6}${ipv4}`, ...shortened].join('|')})`;
const label = '[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';

/** What one item of a list looks like. */
export const itemPatterns = {
  address: `(${ipv4}|${ipv6})`,
  addressRange: `(${ipv4}(/([0-9]|[12][0-9]|3[0-2]))?|${ipv6}(/([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))?)`,
  hostName: `${label}(\\.${label})*\\.?`,
  origin: '[hH][tT][tT][pP][sS]?://[^/?#@\\s,]+',
  label: labelNamePattern,
  namespace: '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?',
  clusterFile: '[A-Za-z0-9_.-]{1,253}=[^,]+',
} as const;

/** An address to listen on, without its port. */
export const listenHostForm = {
  expected: 'localhost, an IPv4 address or an IPv6 address in brackets',
  pattern: `^(localhost|${ipv4}|\\[${ipv6}\\])$`,
};

const text = { type: 'string', minLength: 1 };

/** The forms of the kinds of settings. */
export const settingForms = {
  any: { schema: {} },
  duration: (minMs: number, maxMs: number): SettingForm => ({
    schema: text,
    pattern: '^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$',
    minMs,
    maxMs,
  }),
  wholeNumber: (minimum: number, maximum: number): SettingForm => ({
    schema: { type: 'integer', minimum, maximum },
  }),
  wholeNumberOrOff: (minimum: number, maximum: number): SettingForm => ({
    schema: { anyOf: [{ const: -1 }, { type: 'integer', minimum, maximum }] },
  }),
  yesOrNo: { schema: { enum: [true, false, 'true', 'false'] } },
  oneOf: (words: readonly string[]): SettingForm => {
    const mistaken = Object.entries({ true: 'on', false: 'off' }).filter(([, word]) =>
      words.includes(word),
    );
    if (mistaken.length === 0) return { schema: { enum: words } };
    return {
      schema: { enum: [...words, ...mistaken.map(([truth]) => truth === 'true')] },
      fromYaml11: Object.fromEntries(mistaken),
    };
  },
  text: (pattern?: string): SettingForm => ({
    schema: text,
    ...(pattern === undefined ? {} : { pattern }),
  }),
  // Only the agent counts bytes; a text of so many has at most as many characters.
  socketPath: { schema: { ...text, maxLength: maxSocketPathBytes } },
  /** A word, or a list of mappings that only the agent checks. */
  wordOrMappings: (words: readonly string[], maxItems: number): SettingForm => ({
    schema: { anyOf: [{ enum: words }, { type: 'array', maxItems, items: { type: 'object' } }] },
  }),
  group: { schema: { type: ['integer', 'string'] }, pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  list: (item: string): SettingForm => ({
    schema: { type: ['string', 'array'], minLength: 1, minItems: 1, items: text },
    pattern: `^\\s*${item}\\s*(,\\s*${item}\\s*)*$`,
  }),
} as const;
