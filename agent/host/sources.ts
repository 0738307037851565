import type { HostSource } from './measure.js';
import type { WatchedInterfaces } from './own-interfaces.js';
import { cgroupSource } from './sources/cgroup.js';
import { conntrackSource } from './sources/conntrack.js';
import { interfacesSource } from './sources/interfaces.js';
import { linksSource } from './sources/links.js';
import { neighboursSource } from './sources/neighbours.js';
import { netstatSource } from './sources/netstat.js';
import { pressureSource } from './sources/pressure.js';
import { softnetSource } from './sources/softnet.js';

export interface HostSourcesOptions {
  /** Where the kernel shows its processes and its network. */
  readonly proc: string;
  /** Where it shows its devices and control groups. */
  readonly sys: string;
  /** The interfaces that are looked at. */
  readonly interfaces: () => WatchedInterfaces;
}

/** What is of one network namespace, such as that of pods: the rest is of the whole host. */
export function networkSources({
  proc,
  sys,
  interfaces,
}: HostSourcesOptions): readonly HostSource[] {
  return [
    conntrackSource(proc),
    interfacesSource(proc, interfaces),
    linksSource(sys, interfaces),
    netstatSource(proc),
  ];
}

/** All that is read of a host, one source for each file or folder of the kernel. */
export function hostSources({ proc, sys, interfaces }: HostSourcesOptions): readonly HostSource[] {
  return [
    conntrackSource(proc),
    neighboursSource(proc),
    softnetSource(proc),
    interfacesSource(proc, interfaces),
    linksSource(sys, interfaces),
    netstatSource(proc),
    pressureSource(proc),
    cgroupSource(proc, sys),
  ];
}
