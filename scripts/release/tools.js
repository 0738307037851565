import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { toolsFolder } from '../go-tools.js';

/**
 * The path of a program in PATH, or in the folder of `npm run tools`; undefined if there is none.
 * @param {'helm' | 'kustomize'} name
 */
export function findTool(name) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), toolsFolder];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
