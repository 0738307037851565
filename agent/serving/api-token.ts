import type { Logger } from 'pino';
import { maxTokenFileBytes, tokenForm, tokenFormText } from '../../api/token-form.js';
import { codeOf, ConfigError, messageOf } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';
import { readRegularFile, readRegularFileLater } from '../platform/read-regular-file.js';

export interface OpenApiTokenOptions {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Called with the reason why the last valid token stays in use, and with undefined once the file is good again. */
  readonly onProblem: (reason: string | undefined) => void;
  readonly checkEveryMs?: number;
  /** Whoever makes it check waits for so long at most. */
  readonly waitMs?: number;
  readonly read?: (path: string) => Promise<string>;
}

/**
 * The current API token of a file. The file is read when a token is needed, at most once a second. If it is
 * gone, no longer valid, or on a disk that hangs, the last valid token stays.
 * @throws ConfigError where the file holds no token at first
 */
export function openApiToken(path: string, options: OpenApiTokenOptions): () => Promise<string> {
  const { logger, onProblem, checkEveryMs = 1000, waitMs = 1000, read = readLater } = options;
  let token = readApiToken(path);
  let logged: string | undefined;
  let checkedMs = performance.now();
  let isChecking = false;

  async function check(): Promise<void> {
    let reason: string | undefined;
    try {
      const found = await read(path);
      if (found !== token) logger.info({ path }, 'the API token was read again');
      token = found;
    } catch (error) {
      reason = messageOf(error);
      if (reason !== logged) logger.warn({ reason }, 'the last API token stays in use');
    }
    logged = reason;
    isChecking = false;
    onProblem(reason);
  }

  return async () => {
    const nowMs = performance.now();
    // Each check on a disk that hangs takes one of the few threads that all files are read by.
    if (isChecking || nowMs - checkedMs < checkEveryMs) return token;
    checkedMs = nowMs;
    isChecking = true;
    await new Promise<void>((goOn) => {
      const timer = setTimeout(() => {
        onProblem(`api-token-file: ${formatValue(path)}: its disk does not answer`);
        goOn();
      }, waitMs);
      void check().then(() => {
        clearTimeout(timer);
        goOn();
      });
    });
    return token;
  };
}

/**
 * Reads the token of a file. The error does not show what the file holds.
 * @throws ConfigError where there is none, which does not tell what there is instead
 */
export function readApiToken(path: string): string {
  return tokenIn(path, readText(path));
}

function readText(path: string): string {
  try {
    return readRegularFile(path, maxBytes);
  } catch (error) {
    return refuse(path, error);
  }
}

/** Of a larger file not even the length is told. */
const maxBytes = 1 << 20;

async function readLater(path: string): Promise<string> {
  return tokenIn(
    path,
    await readRegularFileLater(path, maxBytes).catch((error: unknown) => refuse(path, error)),
  );
}

function tokenIn(path: string, text: string): string {
  const token = text.trim();
  if (text.length <= maxTokenFileBytes && tokenForm.test(token)) return token;
  throw new ConfigError(
    `api-token-file: expected ${tokenFormText} in ${formatValue(path)}, got ${token.length} characters of another form`,
  );
}

function refuse(path: string, error: unknown): never {
  const why = codeOf(error) === 'ENOENT' ? 'there is no such file' : messageOf(error);
  throw new ConfigError(
    `api-token-file: expected a readable file, got ${formatValue(path)}: ${why}`,
  );
}
