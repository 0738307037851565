import { cpus, loadavg, release, totalmem } from 'node:os';
import type { Figures } from './report.js';

/** The facts about the machine that influence the figures. */
export function machine(): Figures {
  const processors = cpus();
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryBytes: totalmem(),
    node: process.version,
    kernel: release(),
    architecture: process.arch,
    loadBefore: loadavg(),
  };
}
