import { basename } from 'node:path';
import type { Config } from './config.js';
import { settingEntries } from './settings.js';

/** What `--help` calls the value of a setting that is a file or a folder. */
const pathValues: readonly string[] = ['FILE', 'PATH', 'PATH|off'];

/** The files and folders of this host that the agent was told of, or keeps itself. */
export function localPaths({
  given,
  stateFolder,
}: Pick<Config, 'given' | 'stateFolder'>): string[] {
  const paths: unknown[] = settingEntries
    .filter(([, { value }]) => pathValues.includes(value))
    .map(([name]) => given[name]?.value);
  return [...paths, stateFolder].filter((path) => typeof path === 'string');
}

/**
 * Returns a function that names files of this host without their folders. Texts that other hosts
 * read over TCP go through it: which folders a host has does not concern them.
 */
export function createFolderHider(paths: readonly string[]): (text: string) => string {
  // A path may be the beginning of another one.
  const longestFirst = [...new Set(paths)]
    .filter((path) => path.includes('/') && basename(path) !== '')
    .sort((a, b) => b.length - a.length);
  return (text) =>
    longestFirst.reduce((shortened, path) => shortened.replaceAll(path, basename(path)), text);
}
