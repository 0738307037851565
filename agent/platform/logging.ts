import { pino, type Logger } from 'pino';
import { LogOutput } from './log-output.js';

/** The one root logger: JSON lines, or the same for people, on standard output. */
export async function createLogger(level: string, format: 'json' | 'pretty'): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const output = new LogOutput(1, (lines) => logger.warn({ lines }, 'log lines were lost'));
  const write = format === 'json' ? (line: string) => output.write(line) : await prettyTo(output);
  const logger = pino(options, { write });
  return logger;
}

/** As Node itself decides it: a terminal, unless NO_COLOR or TERM=dumb says otherwise. */
function hasColors(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && stream.hasColors();
}

async function prettyTo(output: LogOutput): Promise<(line: string) => void> {
  const { default: pinoPretty } = await import('pino-pretty');
  const pretty = pinoPretty.prettyFactory({ colorize: hasColors(process.stdout) });
  return (line) => output.write(pretty(line));
}
