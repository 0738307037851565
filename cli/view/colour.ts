import { styleText } from 'node:util';
import type { ProgramIo } from '../context.js';

export type Colour = 'green' | 'yellow' | 'red' | 'dim' | 'bold';
export type Paint = (colour: Colour, text: string) => string;

/**
 * Returns a function that colours text if the output is a terminal. NO_COLOR and TERM=dumb switch
 * colours off. FORCE_COLOR switches them on, also for a file or a pipe.
 */
export function paintFor({ stdout, env }: Pick<ProgramIo, 'stdout' | 'env'>): Paint {
  const isOff = isSet(env['NO_COLOR']) || env['TERM'] === 'dumb';
  const isForced = isSet(env['FORCE_COLOR']) && env['FORCE_COLOR'] !== '0';
  const isOn = isForced || (stdout.isTTY === true && !isOff);
  // By default styleText checks `process.stdout`. The code above has already checked the right
  // stream.
  return isOn
    ? (colour, text) => styleText(colour, text, { validateStream: false })
    : (_, text) => text;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
