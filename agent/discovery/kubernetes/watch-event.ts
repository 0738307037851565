import { formatValue } from '../../platform/format-value.js';
import { KubernetesApiError, InvalidResponseError } from './kubernetes-api-error.js';

/** One event of a watch about an object. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: unknown;
  readonly version: string;
}

interface Meta {
  readonly name?: unknown;
  readonly namespace?: unknown;
  readonly resourceVersion?: unknown;
}

/**
 * Reads one line of a watch.
 * @throws ApiError where the event is an ERROR, MalformedAnswer where it is no event at all
 */
export function readEvent(line: string): WatchEvent {
  const { type, object } = parse(line);
  if (type === 'ERROR') throw readError(object);
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED' && type !== 'BOOKMARK') {
    throw new InvalidResponseError(`expected a watch event, got one of type ${formatValue(type)}`);
  }
  const version = metaOf(object).resourceVersion;
  if (typeof version !== 'string' || version === '') {
    throw new InvalidResponseError(
      `expected an object with a resourceVersion, got ${formatValue(version)}`,
    );
  }
  return { type, object, version };
}

/**
 * The key of an object in its collection.
 * @throws MalformedAnswer where it has no name
 */
export function readKey(object: unknown): string {
  const { namespace, name } = metaOf(object);
  if (typeof name !== 'string' || name === '') {
    throw new InvalidResponseError(`expected an object with a name, got ${formatValue(name)}`);
  }
  return typeof namespace === 'string' ? `${namespace}/${name}` : name;
}

/** Whether an object is a Table, in which the server has printed another one. */
export function isTable(object: unknown): boolean {
  return ((object ?? {}) as { kind?: unknown }).kind === 'Table';
}

function parse(line: string): { type?: unknown; object?: unknown } {
  try {
    const event: unknown = JSON.parse(line);
    if (typeof event === 'object' && event !== null) return event;
  } catch {
    // The missing name is reported below.
  }
  throw new InvalidResponseError(`expected a watch event in JSON, got ${formatValue(line)}`);
}

function metaOf(object: unknown): Meta {
  const { metadata } = (object ?? {}) as { metadata?: Meta | null };
  return metadata ?? {};
}

function readError(object: unknown): KubernetesApiError {
  const { code, message } = (object ?? {}) as { code?: unknown; message?: unknown };
  const status = typeof code === 'number' ? code : 500;
  const text = typeof message === 'string' ? formatValue(message.slice(0, 200)) : 'no reason';
  return new KubernetesApiError(`watch ended with status ${status}: ${text}`, status);
}
