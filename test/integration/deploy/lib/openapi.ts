import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as kubernetes from '@kubernetes/client-node';
import type { Manifest } from '../../../unit/deploy/lib/manifest.js';

interface Model {
  getAttributeTypeMap(): { baseName: string; type: string; format: string }[];
}

const entry = createRequire(import.meta.url).resolve('@kubernetes/client-node');
const models = join(dirname(entry), 'gen', 'models');

/** Returns one line for each part of a manifest that the Kubernetes OpenAPI types do not allow. */
export function mistakesIn(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const version = apiVersion.split('/').at(-1) ?? '';
  const type = `${version.charAt(0).toUpperCase()}${version.slice(1)}${kind}`;
  if (modelOf(type) === undefined) return [`${kind}: expected a known kind, got ${apiVersion}`];
  return [...check(manifest, type, '', kind)];
}

function* check(value: unknown, type: string, format: string, at: string): Iterable<string> {
  const list = /^Array<(.*)>$/.exec(type)?.[1];
  const map = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  const model = modelOf(type);
  if (list !== undefined) {
    if (!Array.isArray(value)) {
      yield expected('a list', value, at);
      return;
    }
    for (const [index, item] of (value as unknown[]).entries()) {
      yield* check(item, list, format, `${at}[${index}]`);
    }
  } else if (map !== undefined || model !== undefined) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      yield expected('a mapping', value, at);
      return;
    }
    const fields = new Map(model?.getAttributeTypeMap().map((field) => [field.baseName, field]));
    for (const [key, inner] of Object.entries<unknown>({ ...value })) {
      const field = map === undefined ? fields.get(key) : { type: map, format };
      if (field) yield* check(inner, field.type, field.format, `${at}.${key}`);
      else yield `${at}.${key}: ${type} has no such field`;
    }
    for (const key of model === undefined ? [] : requiredFields(type)) {
      if (!(key in value)) yield `${at}.${key}: expected a value, got nothing`;
    }
  } else if (!fits(value, type, format)) {
    yield expected(`${type} ${format}`.trim(), value, at);
  }
}

function fits(value: unknown, type: string, format: string): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && (!format.startsWith('int') || Number.isInteger(value));
    case 'IntOrString':
      return typeof value === 'string' || Number.isInteger(value);
    default:
      // Dates and free forms do not occur in our manifests.
      return false;
  }
}

function expected(what: string, value: unknown, at: string): string {
  return `${at}: expected ${what}, got ${JSON.stringify(value)}`;
}

function modelOf(type: string): Model | undefined {
  const found = (kubernetes as unknown as Record<string, unknown>)[type];
  return typeof found === 'function' && 'getAttributeTypeMap' in found
    ? (found as unknown as Model)
    : undefined;
}

/**
 * Only the type declarations tell required fields (`'name': string;`) from optional ones (`'name'?:
 * string;`).
 */
function requiredFields(type: string): string[] {
  const text = readFileSync(join(models, `${type}.d.ts`), 'utf8');
  return [...text.matchAll(/^ {4}'(\w+)': /gm)].map(([, name]) => name ?? '');
}
