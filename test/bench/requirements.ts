import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The commands that some measurements need, with their Debian packages. */
const packages: Readonly<Record<string, string>> = {
  fping: 'fping',
  wrk: 'wrk',
  strace: 'strace',
  curl: 'curl',
  openssl: 'openssl',
  iperf3: 'iperf3',
};

/** Why nothing can be measured here; undefined if it can. */
export function missingForAll(): string | undefined {
  if (process.platform !== 'linux') return 'the bench needs Linux';
  if (process.getuid?.() !== 0) return 'the bench needs root, to make network namespaces';
  if (!isThere('ip', ['-Version'])) return 'the bench needs ip (Debian package iproute2)';
  if (!isThere('nft', ['--version'])) return 'the bench needs nft (Debian package nftables)';
  return undefined;
}

/** The optional commands that this machine has. */
export function toolsHere(): ReadonlySet<string> {
  return new Set(Object.keys(packages).filter((tool) => isThere(tool, ['-v'])));
}

/** The reason to report if a command is missing. */
export function whyMissing(tool: string): string {
  return `needs ${tool} (Debian package ${packages[tool] ?? tool})`;
}

/** Whether the portable ICMP engine was built here. */
export function hasNetPing(root: string): boolean {
  try {
    createRequire(join(root, 'package.json'))('net-ping');
    return true;
  } catch {
    return false;
  }
}

function isThere(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).error === undefined;
}
