import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { labPrefix } from './leftovers.js';
import type { Family } from './plan.js';

const common = firstMissing();

/** The reason why no lab of this address family can run here; undefined if it can. */
export function missingFor(family: Family): string | undefined {
  if (common !== undefined) return common;
  if (family === 6 && !existsSync('/proc/sys/net/ipv6')) return 'the lab needs IPv6 in the kernel';
  return undefined;
}

/** The reason why an IPv4 lab here cannot hold back and duplicate packets; undefined if it can. */
export function missingForDelays(): string | undefined {
  const rules = [
    'table arp t { chain c { type filter hook input priority 0; drop; }; }',
    'table ip t { chain c { type filter hook postrouting priority 0; dup to 192.0.2.1 device "lo"; }; }',
  ];
  const refused = missingFor(4) === undefined ? failureToBuild([], rules) : undefined;
  return refused === undefined
    ? missingFor(4)
    : `holding packets back and doubling them needs nftables for ARP, and dup: ${refused}`;
}

/** The reason why the link of a host cannot be made slow here; undefined if it can. */
export function missingForQueues(): string | undefined {
  if (missingFor(4) !== undefined) return missingFor(4);
  const name = `${labPrefix()}-try`;
  const add = 'qdisc add dev lo root tbf rate 1mbit burst 3000 limit 10000';
  const refused =
    failureOf('ip', ['netns', 'add', name]) ??
    failureOf('ip', ['netns', 'exec', name, 'tc', ...add.split(' ')]);
  failureOf('ip', ['netns', 'del', name]);
  return refused === undefined ? undefined : `a slow link needs tc and its tbf: ${refused}`;
}

function firstMissing(): string | undefined {
  if (process.platform !== 'linux') return 'the lab needs Linux';
  if (process.getuid?.() !== 0) return 'the lab needs root';
  if (
    failureOf('ip', ['-Version']) !== undefined ||
    failureOf('bridge', ['-Version']) !== undefined
  ) {
    return 'the lab needs ip and bridge (Debian package iproute2)';
  }
  if (failureOf('nft', ['--version']) !== undefined)
    return 'the lab needs nft (Debian package nftables)';
  const links = [
    'link add veth1 type veth peer name veth2',
    'link add bridge1 type bridge',
    'link add vxlan1 type vxlan id 1 dstport 8472',
  ];
  const rules = ['table inet t { chain c { numgen random mod 100 < 30 drop; }; }'];
  const refused = failureToBuild(links, rules);
  if (refused !== undefined) {
    return `the lab needs to make namespaces with veth, bridge, vxlan and nftables: ${refused}`;
  }
  if (!hasNetPing()) return 'the lab needs net-ping to be built (a C++ compiler)';
  return undefined;
}

/** Tries these commands in a namespace that is removed afterwards. */
function failureToBuild(links: readonly string[], rules: readonly string[]): string | undefined {
  const name = `${labPrefix()}-try`;
  const refused = failureOf('ip', ['netns', 'add', name]);
  if (refused !== undefined) return refused;
  try {
    return (
      failureOf('ip', ['-n', name, '-batch', '-'], `${links.join('\n')}\n`) ??
      failureOf('ip', ['netns', 'exec', name, 'nft', '-f', '-'], `${rules.join('\n')}\n`)
    );
  } finally {
    failureOf('ip', ['netns', 'del', name]);
  }
}

function hasNetPing(): boolean {
  try {
    createRequire(import.meta.url)('net-ping');
    return true;
  } catch {
    return false;
  }
}

/** The first line of a command's error output, or undefined if it succeeded. */
function failureOf(command: string, args: readonly string[], input = ''): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { input, encoding: 'utf8' });
  if (status === 0) return undefined;
  return error?.message ?? stderr.trim().split('\n')[0] ?? '';
}
