import { isMap, isScalar } from 'yaml';
import { codeOf, ConfigError, messageOf } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';
import { readRegularFile } from '../platform/read-regular-file.js';
import { parseYaml, type YamlContent } from '../platform/read-yaml.js';
import { isServiceLink, variableOf } from './read-values.js';
import { settingEntries } from './settings.js';

/** The source of a value, for the message that refuses it. */
export interface SettingValue {
  readonly value: unknown;
  readonly origin: string;
}

/** Values by setting name. Names that are no setting are refused later. */
export type SettingSource = ReadonlyMap<string, SettingValue>;

// Kubernetes puts such variables into every pod of a namespace with a Service named meshprobe.
const serviceLink = /^MESHPROBE_(?:\w+_)?(?:SERVICE_(?:HOST|PORT)\w*|PORT(?:_\d+_\w+)?)$/;
// What the CLI and the responder read of the same environment, and the variable of `--config`.
const notOurs = new Set([
  'MESHPROBE_AGENT_SOURCE',
  'MESHPROBE_CONFIG',
  'MESHPROBE_SOCK',
  'MESHPROBE_TOKEN_FILE',
]);

/** The `MESHPROBE_*` variables; an empty one counts as not set. */
export function fromEnvironment(environment: NodeJS.ProcessEnv): SettingSource {
  const names = new Map<string, string>(settingEntries.map(([name]) => [variableOf(name), name]));
  const source = new Map<string, SettingValue>();
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('MESHPROBE_') || value === undefined || value === '') continue;
    if (isServiceLink(variable, value)) continue;
    const name = names.get(variable);
    if (name === undefined && (notOurs.has(variable) || serviceLink.test(variable))) continue;
    source.set(name ?? variable, { value, origin: `environment variable ${variable}` });
  }
  return source;
}

/** The flags given, by setting name. */
export function fromFlags(flags: Readonly<Record<string, unknown>>): SettingSource {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return new Map(given.map(([name, value]) => [name, { value, origin: `flag --${name}` }]));
}

/**
 * The keys of a YAML configuration file.
 * @throws ConfigError where it cannot be read, is no YAML or no mapping
 */
export function fromFile(path: string): SettingSource {
  const text = readConfigFile(path);
  const yaml = parseConfig(text, path);
  const { content } = yaml;
  if (content === null) return new Map();
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw new ConfigError(`config: ${path}: expected a mapping, got ${formatValue(content)}`);
  }
  const origin = (name: string) => `${path}:${lineOf(name, yaml)}`;
  const given = Object.entries<unknown>(content as Record<string, unknown>).filter(
    ([, value]) => value !== null,
  );
  return new Map(given.map(([name, value]) => [name, { value, origin: origin(name) }]));
}

function parseConfig(text: string, path: string): YamlContent {
  try {
    return parseYaml(text);
  } catch (error) {
    throw new ConfigError(`config: ${path}: ${messageOf(error)}`);
  }
}

function lineOf(name: string, { document, lines }: YamlContent): number {
  const pairs = isMap(document.contents) ? document.contents.items : [];
  const key = pairs.find((pair) => isScalar(pair.key) && String(pair.key.value) === name)?.key;
  return isScalar(key) ? lines.linePos(key.range[0]).line : 1;
}

/** Many times what all settings take. */
const maxBytes = 1 << 20;

function readConfigFile(path: string): string {
  try {
    return readRegularFile(path, maxBytes);
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'there is no such file' : messageOf(error);
    throw new ConfigError(
      `config: expected a readable YAML file, got ${formatValue(path)}: ${why}`,
    );
  }
}
