import * as z from 'zod';
import { anchorOf, table } from './table.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Writes tables of the fields of schemas. Each object that has a name is noted when a table refers
 * to it, and gets a table of its own.
 */
export class SchemaTables {
  /** The anchors of bodies that have a section elsewhere, by their names. */
  readonly #anchors = new Map<string, string>();
  /** Every named schema that was met. */
  readonly #known = new Map<string, JsonSchema>();
  /** Those that a table refers to. */
  readonly #objects = new Map<string, JsonSchema>();

  /** From now on a reference to that body leads to the section with the title. */
  placeBody(schema: z.ZodType, title: string): void {
    const name = nameOf(z.toJSONSchema(schema, { io: 'output' }));
    if (name !== undefined) this.#anchors.set(name, anchorOf(title));
  }

  /** One row for each field of a body. */
  fieldsOf(schema: z.ZodType): string {
    const body = this.#bodyOf(schema);
    return body.type === 'object' ? this.#fieldsTable(body) : `${this.#typeOf(body)}.`;
  }

  /** One row for each parameter of a query; `none` if it has none. */
  parametersOf(schema: z.ZodType): string {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const rows = Object.entries(json.properties ?? {}).map(([name, property]) => {
      const { default: standard, ...type } = property as JsonSchema;
      const shown = typeof standard === 'string' ? `\`${standard}\`` : '';
      const isRequired = json.required?.includes(name) === true;
      const form = `${parameterTypeOf(type)}${isRequired ? '' : ', optional'}`;
      return [`\`${name}\``, form, shown, type.description ?? ''];
    });
    if (rows.length === 0) return 'Parameters: none.';
    return table([['parameter', 'type', 'default', 'meaning'], ...rows]);
  }

  /** A section for each object that was referred to, in the order of their names. */
  objectSections(): string[] {
    const sections = new Map<string, string>();
    for (let size = -1; size < sections.size;) {
      size = sections.size;
      // A table may refer to further objects.
      for (const [name, schema] of [...this.#objects]) {
        if (!sections.has(name)) sections.set(name, this.#objectText(schema));
      }
    }
    const byName = [...sections].sort(([a], [b]) => (a < b ? -1 : 1));
    return byName.flatMap(([name, text]) => [`### ${name}`, text]);
  }

  #bodyOf(schema: z.ZodType): JsonSchema {
    const json = z.toJSONSchema(schema, { io: 'output' });
    for (const [name, definition] of Object.entries(json.$defs ?? {})) {
      this.#known.set(name, definition);
    }
    const name = nameOf(json);
    return name === undefined ? json : (this.#known.get(name) ?? json);
  }

  #objectText(schema: JsonSchema): string {
    const { description, enum: values } = schema;
    const said = description === undefined ? [] : [`${description}.`];
    const body =
      values || schema.type !== 'object'
        ? `Type: ${this.#typeOf(schema)}.`
        : this.#fieldsTable(schema);
    return [...said, body].join('\n\n');
  }

  #fieldsTable(schema: JsonSchema): string {
    return table([['field', 'type', 'meaning'], ...this.#rowsOf(schema, '')]);
  }

  /** One row for each field. The fields of its object or list follow below it. */
  #rowsOf(schema: JsonSchema, prefix: string): string[][] {
    const required = new Set(schema.required ?? []);
    const named = Object.entries(schema.properties ?? {}).map(
      ([name, field]) => [name, field as JsonSchema, required.has(name)] as const,
    );
    const mapped = schema.additionalProperties;
    const anyName =
      typeof mapped === 'object' && Object.keys(mapped).length > 0
        ? [['NAME', mapped, true] as const]
        : [];
    return [...named, ...anyName].flatMap(([name, field, isRequired]) => {
      const inner = withoutNull(field);
      const path = prefix === '' ? name : `${prefix}.${name}`;
      const mayBeNull = inner === field ? '' : ' or null';
      const type = `${this.#typeOf(inner)}${mayBeNull}${isRequired ? '' : ', optional'}`;
      const row = [`\`${path}\``, type, field.description ?? inner.description ?? ''];
      const element = inner.type === 'array' ? (inner.items as JsonSchema | undefined) : inner;
      if (element === undefined || nameOf(element) !== undefined) return [row];
      return [row, ...this.#rowsOf(element, `${path}${element === inner ? '' : '[]'}`)];
    });
  }

  #typeOf(schema: JsonSchema): string {
    const name = nameOf(schema);
    if (name !== undefined) {
      const object = this.#known.get(name);
      if (!object) throw new Error(`expected a definition of ${name}, got none`);
      const anchor = this.#anchors.get(name);
      if (anchor !== undefined) return `[${name}](#${anchor})`;
      this.#objects.set(name, object);
      return `[${name}](#${name.toLowerCase()})`;
    }
    if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' or ');
    if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return choices.map((one) => this.#typeOf(one)).join(' or ');
    if (schema.type === 'array') {
      const items = schema.items as JsonSchema | undefined;
      return `list of ${items === undefined ? 'values' : this.#typeOf(items)}`;
    }
    return [schema.type ?? 'any'].flat().join(' or ');
  }
}

/** The name of an object that has a table of its own. */
function nameOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.split('/').at(-1);
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const [only, ...more] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only && more.length === 0 ? only : schema;
}

function parameterTypeOf({ enum: values, type = 'string' }: JsonSchema): string {
  if (values) return values.map((value) => `\`${String(value)}\``).join(' or ');
  return [type].flat().join(' or ');
}
