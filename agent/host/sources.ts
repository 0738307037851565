import type { HostSource } from './measure.js';
import { conntrackSource } from './sources/conntrack.js';
import { interfacesSource } from './sources/interfaces.js';

export interface HostSourcesOptions {
  /** Where the kernel shows its processes and its network. */
  readonly proc: string;
  /** The names of the interfaces that are looked at. */
  readonly interfaces: () => ReadonlySet<string>;
}

/** All that is read of a host, one source for each file or folder of the kernel. */
export function hostSources({ proc, interfaces }: HostSourcesOptions): readonly HostSource[] {
  return [conntrackSource(proc), interfacesSource(proc, interfaces)];
}
