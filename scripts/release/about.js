import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources.js';

/**
 * @typedef {object} About
 * @property {string} name
 * @property {string} version
 * @property {string} description
 * @property {string} homepage
 * @property {string} license
 * @property {Record<string, string>} dependencies
 * @property {Record<string, string>} optionalDependencies
 */

/** What package.json says of the project. @type {About} */
export const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
