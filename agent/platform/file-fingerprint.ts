import { stat } from 'node:fs/promises';
import { codeOf, messageOf } from './errors.js';

/**
 * A text that changes when the file at the path changes or disappears. It follows symbolic links: so
 * an edit in place, a rename over it and a new link in a ConfigMap are all seen on any file system.
 */
export async function fileFingerprint(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return codeOf(error) ?? messageOf(error);
  }
}
