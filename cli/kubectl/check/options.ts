import { parseArgs } from 'node:util';
import { parseDurationMs } from '../../../api/duration.js';
import { UsageError } from '../../errors.js';
import { checkedNamespace } from '../arguments.js';

const outputs = ['text', 'json', 'junit'] as const;

export interface CheckOptions {
  /** Undefined: that of this release. */
  readonly image: string | undefined;
  /** Undefined: a new name. */
  readonly namespace: string | undefined;
  /** How long the agents go on when everything was probed once. */
  readonly forMs: number;
  readonly timeoutMs: number;
  readonly output: (typeof outputs)[number];
  /** What was made stays. */
  readonly keep: boolean;
  readonly isHelp: boolean;
}

const maxMs = 86_400_000;
/** A reference of an image: a name with folders and a port, then a tag, a digest, or both. */
const imageForm =
  /^[a-z0-9][\w.-]*(:\d{1,5})?(\/[a-z0-9][a-z0-9._-]*)*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/i;

/**
 * Reads what follows `check`.
 * @param namespace as the flag before `check` gave it
 * @throws UsageError that says what was expected, and what was given
 */
export function readCheckOptions(
  args: readonly string[],
  namespace: string | undefined,
): CheckOptions {
  const { values, positionals } = parse(args);
  const [extra] = positionals;
  if (extra !== undefined) {
    throw new UsageError(`check: expected flags alone, got ${JSON.stringify(extra.slice(0, 100))}`);
  }
  const { image, output = 'text' } = values;
  if (image !== undefined && (!imageForm.test(image) || image.length > 500)) {
    throw new UsageError(
      `--image: expected an image such as registry.example/meshprobe:0.1.0, got ${JSON.stringify(image.slice(0, 100))}`,
    );
  }
  const form = outputs.find((one) => one === output);
  if (form === undefined) {
    throw new UsageError(
      `--output: expected one of ${outputs.join(', ')}, got ${JSON.stringify(output.slice(0, 100))}`,
    );
  }
  const forMs = durationMs('--for', values.for ?? '30s');
  const timeoutMs = durationMs('--timeout', values.timeout ?? '3m');
  if (forMs > timeoutMs) {
    throw new UsageError(
      `--for: expected at most the --timeout of ${timeoutMs / 1000} s, got ${forMs / 1000} s`,
    );
  }
  return {
    image,
    namespace: values.namespace === undefined ? namespace : checkedNamespace(values.namespace),
    forMs,
    timeoutMs,
    output: form,
    keep: values.keep === true,
    isHelp: values.help === true,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        image: { type: 'string' },
        namespace: { type: 'string', short: 'n' },
        for: { type: 'string' },
        timeout: { type: 'string' },
        output: { type: 'string', short: 'o' },
        keep: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    // Node goes on with how a positional argument is given, which there is none of.
    const [what = ''] = (error as Error).message.split('. ');
    throw new UsageError(`check: ${what} (kubectl meshprobe check --help says more)`);
  }
}

function durationMs(flag: string, text: string): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms <= maxMs) return ms;
  throw new UsageError(
    `${flag}: expected a duration such as 30s or 3m, got ${JSON.stringify(text.slice(0, 100))}`,
  );
}
