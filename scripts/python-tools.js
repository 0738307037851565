import { join } from 'node:path';
import { root } from './sources.js';

const folder = join(root, 'node_modules', '.cache', 'meshprobe', 'python');

/**
 * The virtual environment into which `npm run tools` installs Python programs, and the folder of
 * these programs.
 */
export const pythonFolder = folder;
export const pythonToolsFolder = join(folder, 'bin');

/** The Python programs that the tests of the OpenAPI document use, as PyPI names them. */
export const pythonTools = {
  schemathesis: 'schemathesis==4.32.5',
  'openapi-spec-validator': 'openapi-spec-validator==0.9.0',
};
