import { statSync } from 'node:fs';
import type { Logger } from 'pino';
import { maxTokenFileBytes, tokenForm, tokenFormText } from '../../api/token-form.js';
import { codeOf, ConfigError, messageOf } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';
import { readRegularFile } from '../platform/read-regular-file.js';

export interface OpenApiTokenOptions {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Called with the reason why the last valid token stays in use, and with undefined once the file is good again. */
  readonly onProblem: (reason: string | undefined) => void;
  readonly lookEveryMs?: number;
  readonly read?: (path: string) => string;
}

/**
 * The current API token of a file. The file is looked at when a token is needed, at most once a
 * second. If it is gone or no longer valid, the last valid token stays.
 * @throws ConfigError where the file holds no token at first
 */
export function openApiToken(
  path: string,
  { logger, onProblem, lookEveryMs = 1000, read = readApiToken }: OpenApiTokenOptions,
): () => string {
  let seen = fingerprint(path);
  let token = read(path);
  let told: string | undefined;
  let lookedMs = performance.now();
  return () => {
    const nowMs = performance.now();
    if (nowMs - lookedMs < lookEveryMs) return token;
    lookedMs = nowMs;
    const there = fingerprint(path);
    if (there === seen) {
      onProblem(undefined);
      return token;
    }
    try {
      token = read(path);
      seen = there;
      onProblem(undefined);
      logger.info({ path }, 'the API token was read again');
    } catch (error) {
      // It may have failed for want of a descriptor, so it is read again, and told once.
      const reason = messageOf(error);
      onProblem(reason);
      if (there !== told) logger.warn({ reason }, 'the last API token stays in use');
      told = there;
    }
    return token;
  };
}

/** A mounted Secret is replaced as a whole, so each change makes another file. */
function fingerprint(path: string): string {
  const there = statSync(path, { throwIfNoEntry: false });
  return there ? [there.dev, there.ino, there.size, there.mtimeMs, there.ctimeMs].join() : 'gone';
}

/**
 * Reads the token of a file. The error does not show what the file holds.
 * @throws ConfigError where there is none, which does not tell what there is instead
 */
export function readApiToken(path: string): string {
  const text = readText(path);
  const token = text.trim();
  if (text.length <= maxTokenFileBytes && tokenForm.test(token)) return token;
  throw new ConfigError(
    `api-token-file: expected ${tokenFormText} in ${formatValue(path)}, got ${token.length} characters of another form`,
  );
}

/** Of a larger file not even the length is told. */
const maxBytes = 1 << 20;

function readText(path: string): string {
  try {
    return readRegularFile(path, maxBytes);
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'there is no such file' : messageOf(error);
    throw new ConfigError(
      `api-token-file: expected a readable file, got ${formatValue(path)}: ${why}`,
    );
  }
}
