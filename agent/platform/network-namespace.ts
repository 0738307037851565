import { readlinkSync } from 'node:fs';

/** The network namespace of this process, such as `net:[4026531840]`; undefined where that cannot be read (namespaces(7)). */
export function networkNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/net');
  } catch {
    return undefined;
  }
}
