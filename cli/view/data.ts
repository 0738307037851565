/** The forms a command can print in. */
export type OutputForm = 'text' | 'json' | 'yaml';

/** The API's body, all fields kept, as indented JSON or the same as YAML. */
export async function renderData(body: object, form: 'json' | 'yaml'): Promise<string> {
  if (form === 'json') return `${escapeJson(JSON.stringify(body, null, 2))}\n`;
  const { toYaml } = await import('./yaml.js');
  return toYaml(body, /[\p{Cc}\p{Cf}\u2028\u2029]/u).replace(hidden, yamlEscape);
}

/** JSON with escaped control characters. It stays the same JSON. */
export function escapeJson(json: string): string {
  return json.replace(hidden, jsonEscape);
}

/** JSON and YAML escape C0 controls by themselves. */
const hidden = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;

/** JSON has UTF-16 units alone. */
function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** YAML has whole characters alone. */
function yamlEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
