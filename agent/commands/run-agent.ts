import { accessSync, constants, statSync } from 'node:fs';
import { startAgent, type AgentOptions } from '../agent.js';
import { checkConfig } from './check-config.js';
import { readCommandLine } from './command-line.js';
import { loadConfig, type Config } from '../config/config.js';
import { readKeyFile } from '../exchange/messages/key-file.js';
import { readApiToken } from '../serving/api-token.js';
import { checkNotifyFile } from '../notices/definition/notify-file.js';
import { codeOf, ConfigError, messageOf } from '../platform/errors.js';
import { watchTargets } from '../targets/definition/watch-targets.js';
import { createTargetProber } from '../targets/probers/create-target-prober.js';
import { untilDiskAnswers } from '../platform/slow-disk.js';
import { setV8Flags } from '../platform/v8-flags.js';
import { createLogger } from '../platform/logging.js';
import { formatValue } from '../platform/format-value.js';
import { runUntilSignal } from '../platform/run-until-signal.js';

/** What the build has put beside the program. */
export type BuiltFiles = Pick<AgentOptions, 'nodesFileWorker' | 'pageFolder'>;

/**
 * Runs the agent until a signal or a failure ends it.
 * @throws ConfigError for bad input, StartError where the machine refuses
 */
export async function runAgent(argv: readonly string[], built: BuiltFiles): Promise<number> {
  setV8Flags();
  const request = readCommandLine(argv);
  if (request.kind === 'answered') return 0;
  const config = loadConfig(request.flags, process.env);
  const isCheck = request.kind === 'check-config';
  for (const file of filesReadAtOnce(config, isCheck)) {
    await untilDiskAnswers(file, (words) => process.stderr.write(`meshprobe-agent: ${words}\n`));
  }
  if (config.nodeSource.kind === 'file') refuseUnreadable(config.nodeSource.path);
  if (config.mesh?.keyFile !== undefined) readKeyFile(config.mesh.keyFile);
  if (config.apiTokenFile !== undefined) readApiToken(config.apiTokenFile);
  if (config.notifyFile !== undefined) checkNotifyFile(config.notifyFile);
  if (isCheck) {
    const { good, warnings } = await checkConfig(config, built.nodesFileWorker);
    for (const warning of warnings) process.stderr.write(`meshprobe-agent: warning: ${warning}\n`);
    process.stdout.write(`${good}\n`);
    return 0;
  }
  const logger = await createLogger(config.logLevel, config.logFormat);
  const targets = {
    config: config.targets,
    watch: watchTargets,
    createProber: createTargetProber,
  };
  return runUntilSignal(logger, (onFailure) =>
    startAgent({ config, logger, targets, ...built, onFailure }),
  );
}

/** Those that are read before the socket is up; a check reads the targets too. */
function filesReadAtOnce(config: Config, isCheck: boolean): string[] {
  const { nodeSource, mesh, apiTokenFile, notifyFile, targets } = config;
  const nodesFile = nodeSource.kind === 'file' ? nodeSource.path : undefined;
  const targetsFile = isCheck ? targets.file : undefined;
  return [nodesFile, mesh?.keyFile, apiTokenFile, notifyFile, targetsFile].flatMap(
    (path) => path ?? [],
  );
}

/**
 * Reading the file may take long, so it comes after the socket is up. Whether it exists is checked
 * now.
 */
function refuseUnreadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
    if (!statSync(path).isFile()) throw new Error('it is no regular file');
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'there is no such file' : messageOf(error);
    throw new ConfigError(`nodes-file: expected a readable file, got ${formatValue(path)}: ${why}`);
  }
}
