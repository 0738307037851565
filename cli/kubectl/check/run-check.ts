import { randomInt } from 'node:crypto';
import type { Check } from '../../../api/schema/v1/check.js';
import { messageOf, UsageError } from '../../errors.js';
import { exitCodes } from '../../exit-codes.js';
import { onChange } from '../../on-change.js';
import { renderCheck } from '../../view/check-text.js';
import { paintFor } from '../../view/colour.js';
import { renderData } from '../../view/data.js';
import { escapeText } from '../../view/escape.js';
import { renderJunit } from '../../view/junit.js';
import type { PluginArguments } from '../arguments.js';
import { Kubectl } from '../kubectl.js';
import { NoAgent } from '../no-agent.js';
import type { PluginIo } from '../run-command.js';
import { CannotRun } from './cannot-run.js';
import { checkConditions } from './conditions.js';
import { composeCheck } from './compose.js';
import { readCluster } from './read-cluster.js';
import { Installation } from './installation.js';
import { observe } from './observe.js';
import { readCheckOptions, type CheckOptions } from './options.js';
import { writeOverlay, type Manifests } from './overlay.js';
import { askRights } from './rights.js';

const help = `Usage: kubectl meshprobe [flags] check [options]

Checks a cluster that has no meshprobe: installs it in a namespace of its own, waits until every node has
probed every other on every channel, with large packets, and DNS, the API server and a Service from each
node, says what was found, and removes all that it made, also after Ctrl-C or a failure.

Options:
  --image IMAGE       where the nodes pull it from (default: that of this release)
  -n, --namespace NS  the name of the new namespace (default: meshprobe-check- and five letters)
  --for DURATION      how long the agents go on when everything was probed once (default: 30s)
  --timeout DURATION  when to stop waiting (default: 3m); what was not probed is named
  -o, --output FORM   text, json or junit (default: text); progress goes to standard error
  --keep              remove nothing; the commands that remove it are printed
  -h, --help          this help

Exit codes: 0 well, 4 something was found, or not all was probed, 3 it could not run (it says why),
2 usage, 130 Ctrl-C.
`;

/** What the check needs beside the terminal. */
export interface CheckIo extends PluginIo {
  readonly manifests: Manifests;
  readonly version: string;
}

/**
 * `kubectl meshprobe check`: installs meshprobe, says what it found and removes it. Resolves with the exit
 * code and never rejects.
 */
export async function runCheck(
  { kubectlFlags, namespace, node }: PluginArguments,
  args: readonly string[],
  io: CheckIo,
): Promise<number> {
  const tell = (text: string): void => void io.stderr.write(`${escapeText(text)}\n`);
  try {
    if (node !== undefined) throw new UsageError('--node: expected only with other commands');
    const options = readCheckOptions(args, namespace);
    if (options.isHelp) {
      io.stdout.write(help);
      return 0;
    }
    return await check(options, kubectlFlags, io, tell);
  } catch (error) {
    if (io.interrupted.aborted) return exitCodes.interrupted;
    if (error instanceof UsageError) {
      tell(`kubectl-meshprobe: ${error.message}`);
      return exitCodes.usage;
    }
    if (error instanceof CannotRun || error instanceof NoAgent) {
      tell(`kubectl-meshprobe: the check could not run: ${error.message}`);
      return exitCodes.noAgent;
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.stderr.write(`kubectl-meshprobe: ${text}\n`);
    return exitCodes.unexpected;
  }
}

type Tell = (text: string) => void;

async function check(
  options: CheckOptions,
  flags: readonly string[],
  io: CheckIo,
  tell: Tell,
): Promise<number> {
  const startedMs = performance.now();
  const instance = `meshprobe-check-${randomLetters(5)}`;
  const { namespace = instance } = options;
  const asking = new Kubectl(flags, io.interrupted, true);
  await askRights(asking, namespace);
  const { hasCilium } = await readCluster(asking);
  // What was begun is ended, so that it is known what was made.
  const making = new Kubectl(flags, new AbortController().signal, true);
  const installation = new Installation(making, namespace, instance);
  const overlay = writeOverlay(io.manifests, {
    namespace,
    instance,
    hasCilium,
    image: options.image,
  });
  try {
    io.interrupted.throwIfAborted();
    await installation.makeNamespace(overlay);
    tell(`made namespace ${namespace}`);
    io.interrupted.throwIfAborted();
    await installation.makeObjects(overlay);
    // Now, not at the end: one that is killed meanwhile leaves no files.
    overlay.remove();
    const observed = await observe({
      kubectl: asking,
      namespace,
      forMs: options.forMs,
      tell: onChange(tell),
      deadlineMs: startedMs + options.timeoutMs,
      signal: io.interrupted,
    });
    const seconds = (performance.now() - startedMs) / 1000;
    const image = options.image ?? `that of version ${io.version}`;
    const body = composeCheck({ ...observed, image, seconds, at: new Date() });
    io.stdout.write(await render(body, options.output, io));
    return body.verdict === 'ok' ? 0 : exitCodes.notWell;
  } finally {
    overlay.remove();
    await end(installation, options.keep, io, tell);
  }
}

async function end(
  installation: Installation,
  keep: boolean,
  io: CheckIo,
  tell: Tell,
): Promise<void> {
  if (!installation.isMade) return;
  if (keep) {
    tell('kept, as --keep says. These commands remove it:');
  } else {
    tell('removing all that was made');
    const why = await installation.remove(io.interruptedAgain).catch(messageOf);
    if (why === undefined) return;
    tell(`not all could be removed: ${why}. These commands remove it:`);
  }
  for (const command of installation.removalCommands) tell(`  ${command}`);
}

function render(
  body: Check,
  output: CheckOptions['output'],
  io: CheckIo,
): string | Promise<string> {
  switch (output) {
    case 'text':
      return renderCheck(body, paintFor(io));
    case 'json':
      return renderData(body, 'json');
    case 'junit':
      return renderJunit(checkConditions(body), body.seconds, 'check');
  }
}

function randomLetters(count: number): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length: count }, () => letters[randomInt(letters.length)]).join('');
}
