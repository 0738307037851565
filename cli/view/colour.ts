import { styleText } from 'node:util';
import type { ProgramIo } from '../context.js';

export type Colour = 'green' | 'yellow' | 'red' | 'dim' | 'bold';
export type Paint = (colour: Colour, text: string) => string;

/**
 * Colours where a terminal shows them. NO_COLOR and TERM=dumb switch them off, FORCE_COLOR on;
 * text that is written to a file or a pipe has none.
 */
export function paintFor({ stdout, env }: Pick<ProgramIo, 'stdout' | 'env'>): Paint {
  const isOff = isSet(env['NO_COLOR']) || env['TERM'] === 'dumb';
  const isForced = isSet(env['FORCE_COLOR']) && env['FORCE_COLOR'] !== '0';
  const isOn = isForced || (stdout.isTTY === true && !isOff);
  // The stream was looked at above; styleText would look at that of the process.
  return isOn
    ? (colour, text) => styleText(colour, text, { validateStream: false })
    : (_, text) => text;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
