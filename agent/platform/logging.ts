import { pino, type Logger } from 'pino';
import { LogOutput } from './log-output.js';

/** The one root logger. It writes JSON lines, or lines for people, to standard output. */
export async function createLogger(level: string, format: 'json' | 'pretty'): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const output = await LogOutput.open(1, (lines) => logger.warn({ lines }, 'log lines were lost'));
  const write = format === 'json' ? (line: string) => output.write(line) : await prettyTo(output);
  const logger = pino(options, { write });
  return logger;
}

/**
 * Node decides in the same way: a terminal has colours, unless NO_COLOR or TERM=dumb says
 * otherwise.
 */
function hasColors(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && stream.hasColors();
}

async function prettyTo(output: LogOutput): Promise<(line: string) => void> {
  const { default: pinoPretty } = await import('pino-pretty');
  const pretty = pinoPretty.prettyFactory({ colorize: hasColors(process.stdout) });
  return (line) => output.write(pretty(line));
}
