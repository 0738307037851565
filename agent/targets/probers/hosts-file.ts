import { isIP } from 'node:net';
import { readRegularFile } from '../../platform/read-regular-file.js';

const maxBytes = 1 << 20;

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
  return text.split('\n').flatMap((line) => {
    const [ip = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isListed = names.some((one) => one.toLowerCase() === name);
    return isListed && isIP(ip) !== 0 && !ip.includes('%') ? [ip] : [];
  });
}
