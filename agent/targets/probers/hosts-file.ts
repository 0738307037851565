import { isIP } from 'node:net';
import { readRegularFile } from '../../platform/read-regular-file.js';

/** Lists of blocked names have some megabytes. */
const maxBytes = 16 << 20;

/**
 * The addresses that hosts(5) gives a name, as resolvers ask it before any server. None where the file
 * cannot be read.
 */
export function addressesInHosts(path: string, name: string): string[] {
  let text: string;
  try {
    text = readRegularFile(path, maxBytes);
  } catch {
    return [];
  }
  // Most lines of a long file are not looked at.
  const lines = text.matchAll(new RegExp(`^.*${escaped(name)}.*$`, 'gim'));
  return Array.from(lines, ([line]) => line).flatMap((line) => {
    const [ip = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isListed = names.some((one) => one.toLowerCase() === name);
    return isListed && isIP(ip) !== 0 && !ip.includes('%') ? [ip] : [];
  });
}

function escaped(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '\\$&');
}
