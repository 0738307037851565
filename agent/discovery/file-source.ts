import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from 'pino';
import { ConfigError, messageOf } from '../errors.js';
import type { Problems } from '../problems.js';
import type { Node, NodeSource } from './node-list.js';

export interface FileSourceOptions {
  readonly path: string;
  readonly read: () => Promise<readonly Node[]>;
  readonly logger: Logger;
  readonly problems: Problems;
  /** How often the file is looked at, in milliseconds. */
  readonly pollMs?: number;
}

/**
 * A nodes file as a node source. It is looked at by stat, which follows symbolic links: so an
 * edit in place, a rename over it and a ConfigMap's swapped link are all seen, on any file system.
 * A file that breaks later keeps the last good list, and is said to be broken once.
 */
export function createFileSource(options: FileSourceOptions): NodeSource {
  const { path, read, logger, problems, pollMs = 1000 } = options;
  let reading = false;
  let changed = false;
  let stopped = false;
  let onChange: () => void = () => undefined;

  async function reread(onNodes: (nodes: readonly Node[]) => void): Promise<void> {
    changed = true;
    if (reading) return;
    reading = true;
    while (changed && !stopped) {
      changed = false;
      const nodes = await read().catch(noteBroken);
      if (nodes === undefined || isStopped()) continue;
      if (problems.clear('nodes-file')) logger.info({ path }, 'nodes file is good again');
      onNodes(nodes);
    }
    reading = false;
  }

  function noteBroken(error: unknown): undefined {
    const reason = messageOf(error);
    const problem = `nodes file ${path} is broken, the last good list stays: ${reason}`;
    if (!problems.set('nodes-file', problem)) return;
    logger.warn({ path, reason }, 'nodes file is broken, the last good list stays');
  }

  // Asked by a call, as it changes while a read is awaited.
  const isStopped = (): boolean => stopped;

  return {
    async start(onNodes) {
      onChange = () => void reread(onNodes);
      watchFile(path, { interval: pollMs }, onChange);
      reading = true;
      try {
        const nodes = await read();
        if (isStopped()) return;
        onNodes(nodes);
      } catch (error) {
        unwatchFile(path, onChange);
        throw new ConfigError(`nodes-file: ${path}: ${messageOf(error)}`);
      }
      reading = false;
      if (changed) onChange();
    },
    stop() {
      stopped = true;
      unwatchFile(path, onChange);
    },
  };
}
