import { delimiter, dirname, resolve } from 'node:path';
import { codeOf, messageOf } from '../../platform/errors.js';
import { formatValue } from '../../platform/format-value.js';
import { readRegularFileLater } from '../../platform/read-regular-file.js';
import { parseYaml } from '../../platform/read-yaml.js';
import { mappingOf, textOf } from '../object-fields.js';

type Mapping = Readonly<Record<string, unknown>>;

/** One cluster and one user of a kubeconfig, as its context joins them. */
export interface KubeContext {
  /** The fields of the cluster entry: `server`, `certificate-authority-data` and so on. */
  readonly cluster: Mapping;
  /** The fields of the user entry; empty where the context names none. */
  readonly user: Mapping;
}

/** Entries by name, and where the first of each stood. */
interface Merged {
  readonly clusters: Map<string, Mapping>;
  readonly users: Map<string, Mapping>;
  readonly contexts: Map<string, Mapping>;
  currentContext: string;
}

/** Paths in a kubeconfig are relative to the folder of the file that they stand in. */
const pathFields = [
  'certificate-authority',
  'client-certificate',
  'client-key',
  'tokenFile',
] as const;

/**
 * Reads kubeconfig files as kubectl does. Missing and empty files are ignored. Of two entries with
 * one name the first one counts, and so does the first `current-context` that is set.
 * @param paths one file or several, separated as in `$KUBECONFIG`
 * @param context the context to take instead of the current one
 * @throws Error that names what was expected and what was got
 */
export async function readKubeconfig(paths: string, context?: string): Promise<KubeContext> {
  const files = [...new Set(paths.split(delimiter).filter((path) => path !== ''))];
  const merged: Merged = {
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
    currentContext: '',
  };
  let found = 0;
  for (const file of files) {
    const text = await readIfThere(file);
    if (text === undefined) continue;
    found++;
    merge(merged, parseFile(text, file), dirname(resolve(file)));
  }
  if (found === 0) {
    throw new Error(`expected a kubeconfig in ${formatValue(paths)}, got no such file`);
  }
  return select(merged, context, formatValue(paths));
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readRegularFileLater(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(
      `expected a readable kubeconfig in ${formatValue(file)}, got ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function parseFile(text: string, file: string): Mapping {
  let content: unknown;
  try {
    ({ content } = parseYaml(text));
  } catch (error) {
    throw new Error(
      `expected a kubeconfig in ${formatValue(file)}, got an error: ${messageOf(error)}`,
      { cause: error },
    );
  }
  if (content === null) return {};
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw new Error(
      `expected a kubeconfig in ${formatValue(file)}, got no mapping but ${formatValue(content)}`,
    );
  }
  return mappingOf(content);
}

function merge(into: Merged, content: Mapping, folder: string): void {
  for (const [list, field] of [
    ['clusters', 'cluster'],
    ['users', 'user'],
    ['contexts', 'context'],
  ] as const) {
    const entries = content[list];
    for (const entry of Array.isArray(entries) ? entries : []) {
      const { name, [field]: value } = mappingOf(entry);
      if (typeof name !== 'string' || into[list].has(name)) continue;
      into[list].set(name, withAbsolutePaths(mappingOf(value), folder));
    }
  }
  if (into.currentContext === '') into.currentContext = textOf(content['current-context']);
}

function withAbsolutePaths(entry: Mapping, folder: string): Mapping {
  const absolute: Record<string, unknown> = { ...entry };
  for (const field of pathFields) {
    const path = textOf(entry[field]);
    if (path !== '') absolute[field] = resolve(folder, path);
  }
  const exec = mappingOf(entry['exec']);
  const command = textOf(exec['command']);
  // A command without a slash is looked for in PATH.
  if (command.includes('/')) absolute['exec'] = { ...exec, command: resolve(folder, command) };
  return absolute;
}

function select(merged: Merged, asked: string | undefined, where: string): KubeContext {
  const name = asked ?? merged.currentContext;
  const known = contextList([...merged.contexts.keys()]);
  if (name === '') {
    throw new Error(`expected a current-context in ${where}, or --context, got neither (${known})`);
  }
  const context = merged.contexts.get(name);
  const label = asked === undefined ? 'current-context' : 'context';
  if (!context) {
    throw new Error(`expected as ${label} one in ${where} (${known}), got ${formatValue(name)}`);
  }
  const clusterName = textOf(context['cluster']);
  const cluster = merged.clusters.get(clusterName);
  if (!cluster) {
    throw new Error(
      `expected a cluster ${formatValue(clusterName)} in ${where} for context ${formatValue(name)}, got none of that name`,
    );
  }
  const userName = textOf(context['user']);
  const user = merged.users.get(userName);
  if (!user && userName !== '') {
    throw new Error(
      `expected a user ${formatValue(userName)} in ${where} for context ${formatValue(name)}, got none of that name`,
    );
  }
  return { cluster, user: user ?? {} };
}

function contextList(names: readonly string[]): string {
  const shown = names.slice(0, 5).map(formatValue).join(', ') || 'none';
  return `contexts: ${shown}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
}
