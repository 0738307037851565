import type { UnknownName } from './source.js';

const maxShown = 600;

/** Whether a source has answered that nothing has this name. */
export function isUnknownName(body: object): body is UnknownName {
  return 'nearest' in body;
}

/**
 * Says that nothing has this name, and which name was probably meant. One line without a full stop.
 * @param name as it was asked for; what is too long of it is left out
 */
export function unknownNameText(
  what: 'node' | 'target' | 'zone' | 'label',
  name: string,
  { nearest }: UnknownName,
): string {
  const meant = nearest === undefined ? '' : `, is ${nearest} meant?`;
  return `there is no ${what} ${name === '' ? '""' : shortened(name)}${meant}`;
}

/** A cut between the halves of a character would make an answer that is no valid JSON. */
function shortened(name: string): string {
  return name.length > maxShown ? Array.from(name).slice(0, maxShown).join('') : name;
}
