/** The forms a command can print in. */
export type OutputForm = 'text' | 'json' | 'yaml';

/** The API's body, all fields kept, as indented JSON or the same as YAML. */
export async function renderData(body: object, form: 'json' | 'yaml'): Promise<string> {
  if (form === 'json') return `${JSON.stringify(body, null, 2).replace(hidden, escapeUnits)}\n`;
  const { toYaml } = await import('./yaml.js');
  return toYaml(body).replace(hidden, escapeUnits);
}

/** JSON and YAML escape C0 controls by themselves. */
const hidden = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
