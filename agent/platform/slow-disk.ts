import { stat } from 'node:fs/promises';

const slowMs = 5000;

/**
 * Waits until the disk of a file has answered, whatever it says of the file, and tells where that takes long. Of a mount
 * that is dead whoever reads at once can tell no more: the whole process waits.
 */
export async function untilDiskAnswers(
  path: string,
  tell: (words: string) => void,
  afterMs = slowMs,
): Promise<void> {
  const words = `waiting for ${path}: its disk does not answer`;
  const timer = setTimeout(() => tell(words), afterMs);
  await stat(path).catch(() => undefined);
  clearTimeout(timer);
}
