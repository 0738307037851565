/** The forms a command can print in. */
export type OutputForm = 'text' | 'json' | 'yaml';

/** Prints the API's body with all its fields, as indented JSON or as YAML. */
export async function renderData(body: object, form: 'json' | 'yaml'): Promise<string> {
  if (form === 'json') return `${escapeJson(JSON.stringify(body, null, 2))}\n`;
  const { toYaml } = await import('./yaml.js');
  return toYaml(body, /[\p{Cc}\p{Cf}\u2028\u2029]/u).replace(hidden, yamlEscape);
}

/** Escapes control and format characters in JSON. The parsed value stays the same. */
export function escapeJson(json: string): string {
  return json.replace(hidden, jsonEscape);
}

/** The JSON and YAML writers already escape C0 controls. */
const hidden = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;

/** An escape in JSON names one UTF-16 unit. */
function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** An escape in YAML names one whole character. */
function yamlEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
