import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
export const unitsFolder = join(root, 'deploy', 'systemd');

/** The values of a key of a unit file, in their order. */
export function valuesOf(unit: string, key: string): string[] {
  const text = readFileSync(join(unitsFolder, unit), 'utf8');
  return [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** Runs `systemd-analyze`; undefined if it is not there. */
export function systemdAnalyze(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

/** Why `systemd-analyze` cannot judge units here; undefined if it can. */
export function whyNoSystemd(): string | undefined {
  const { status, stdout } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  if (status !== 0) return 'no systemd-analyze here (Debian: systemd)';
  // `security --offline` came with it.
  const version = Number(/^systemd (\d+)/.exec(stdout)?.[1]);
  return version >= 250 ? undefined : `systemd ${version} here, expected 250 or newer`;
}

/** The names of the system calls that the `SystemCallFilter=` lines of a unit allow. */
export function allowedSystemCalls(unit: string): Set<string> {
  const sets = readSets(systemdAnalyze('syscall-filter').output);
  const expand = (name: string): string[] =>
    name.startsWith('@') ? (sets.get(name) ?? []).flatMap(expand) : [name];
  // systemd.exec(5): what a service needs to start is always allowed.
  const allowed = new Set(['@default'].flatMap(expand));
  for (const line of valuesOf(unit, 'SystemCallFilter')) {
    const names = line.replace(/^~/, '').split(' ').flatMap(expand);
    for (const name of names) {
      if (line.startsWith('~')) allowed.delete(name);
      else allowed.add(name);
    }
  }
  return allowed;
}

function readSets(text: string): Map<string, string[]> {
  const sets = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.split('\n')) {
    const [, indent = '', name] = /^(\s*)(@?\w[\w-]*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (indent === '' && name.startsWith('@')) sets.set(name, (current = []));
    else current.push(name);
  }
  return sets;
}
