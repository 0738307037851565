import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseDurationMs } from '../../api/duration.js';
import { findingKinds } from '../../api/schema/v1/finding-kinds.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { exitCodes, type SetExitCode } from '../exit-codes.js';
import { onChange } from '../on-change.js';
import { UsageError } from '../errors.js';
import { readNodeName } from '../node-argument.js';
import { readTargetName } from '../target-argument.js';
import { checkConditions, type Condition } from '../wait-conditions.js';
import { countText, secondsText } from '../view/age-text.js';
import { escapeText } from '../view/escape.js';
import { renderJunit } from '../view/junit.js';

interface WaitOptions extends GlobalOptions {
  readonly for?: string;
  readonly minNodes?: number;
  readonly node?: readonly string[];
  readonly kind?: readonly string[];
  readonly target?: readonly string[];
  readonly ignoreNotReady?: boolean;
  readonly output: 'text' | 'json' | 'junit';
}

const pollMs = 500;
const minAnswerMs = 1000;
const maxAnswerMs = 10_000;
const defaultTimeout = '5m';
const defaultForMs = 10_000;
const maxHours = 168;

const examples = `
Examples:
  meshprobe wait --for 30s --min-nodes 40 --timeout 10m  the gate of an upgrade
  meshprobe wait --node node7                            only what concerns one node
  meshprobe wait --timeout 0s                            is it ok now?
  meshprobe wait --kind node-down --kind zones           only findings of these kinds
  meshprobe wait --target cluster-dns --target registry  only until all that look reach these
  meshprobe wait --ignore-not-ready                      during a roll-out that restarts nodes
  meshprobe wait --timeout 0s -o json                    what is in the way now, for programs
  meshprobe wait -o junit > meshprobe.xml                a report for a CI system

With --target alone only the targets are looked at; with --node or --kind all of them. wait also waits for an agent that does not answer, and while the cause of failing pairs is not known
yet. --ignore-not-ready leaves out findings about nodes that Kubernetes itself calls NotReady. Exit codes: 0 ok, 4 timed out, also where
no agent has answered by then, 3 where waiting cannot help: no right to ask, or no agent there.`;

/** `meshprobe wait`: waits until the cluster is ok, for upgrades and CI. */
export function addWaitCommand(program: Command, io: ProgramIo, setExitCode: SetExitCode): void {
  program
    .command('wait')
    .description('wait until the cluster is ok and has stayed so')
    .option(
      '--for <duration>',
      'how long it must stay ok (default: 10s, at most half the --timeout)',
    )
    .option(
      '--timeout <duration>',
      `when to give up (default: ${defaultTimeout}); 0s: look once, and do not wait`,
    )
    .option('--min-nodes <n>', 'how many active nodes there must be', readCount)
    .option('--node <name>', 'only what concerns this node; may be given again', collect)
    .addOption(
      new Option('--kind <kind>', 'only findings of this kind; may be given again').argParser(
        collectKind,
      ),
    )
    .option(
      '--target <target>',
      'until all nodes that look reach this target; may be given again',
      collectTarget,
    )
    .option(
      '--ignore-not-ready',
      'leave out findings about nodes that the cluster itself calls NotReady',
    )
    .addOption(
      new Option('-o, --output <form>', 'text, json or junit')
        .choices(['text', 'json', 'junit'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<WaitOptions>();
      const timeoutMs = readDuration('--timeout', options.timeout ?? defaultTimeout);
      const forMs =
        options.for === undefined
          ? Math.min(defaultForMs, timeoutMs / 2)
          : readDuration('--for', options.for);
      if (forMs > timeoutMs) {
        throw new UsageError(
          `--for: expected at most the --timeout of ${secondsText(timeoutMs / 1000)}, got ${secondsText(forMs / 1000)}`,
        );
      }
      const startedMs = performance.now();
      const result = await waitUntilOk(options, io, startedMs + timeoutMs, forMs);
      const seconds = (performance.now() - startedMs) / 1000;
      if (!result.isOk) setExitCode(exitCodes.notWell);
      io.stdout.write(resultText(options.output, result, seconds, forMs));
    });
}

function resultText(
  form: WaitOptions['output'],
  result: WaitResult,
  seconds: number,
  forMs: number,
): string {
  if (form === 'junit') return renderJunit(result.conditions, seconds, 'wait');
  if (form === 'text') return summaryText(result, seconds, forMs);
  const { isOk, conditions } = result;
  return `${JSON.stringify({ ok: isOk, seconds: Number(seconds.toFixed(3)), conditions })}\n`;
}

interface WaitResult {
  readonly isOk: boolean;
  readonly conditions: readonly Condition[];
}

async function waitUntilOk(
  options: WaitOptions,
  io: ProgramIo,
  deadlineMs: number,
  forMs: number,
): Promise<WaitResult> {
  let okSinceMs: number | undefined;
  const tell = onChange((text) => io.stderr.write(`${text}\n`));
  for (;;) {
    // An agent has at least this long to answer, even just before the deadline.
    const leftMs = Math.ceil(deadlineMs - performance.now());
    const timeout = `${Math.min(Math.max(leftMs, minAnswerMs), maxAnswerMs)}ms`;
    const client = clientFor({ ...options, timeout }, io);
    const conditions = await checkConditions(client, options);
    const nowMs = performance.now();
    const problems = conditions.flatMap((condition) => condition.problems);
    if (problems.length > 0) {
      okSinceMs = undefined;
      const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
      tell(`waiting: ${escapeText(problems[0] ?? '')}${more}`);
    } else {
      okSinceMs ??= nowMs;
      if (nowMs - okSinceMs >= forMs) return { isOk: true, conditions };
      tell(`ok, must stay ok for ${secondsText(forMs / 1000)}`);
    }
    if (nowMs >= deadlineMs) {
      const stayed = stayedCondition(
        okSinceMs === undefined ? undefined : nowMs - okSinceMs,
        forMs,
      );
      return { isOk: false, conditions: [...conditions, ...stayed] };
    }
    await delay(Math.min(pollMs, deadlineMs - nowMs), undefined, { signal: io.signal });
  }
}

/** If the cluster is ok at the deadline, it was not ok for long enough. */
function stayedCondition(okForMs: number | undefined, forMs: number): Condition[] {
  if (okForMs === undefined) return [];
  const problem = `it was ok for ${secondsText(okForMs / 1000)} only, expected ${secondsText(forMs / 1000)}`;
  return [{ name: 'stays ok', problems: [problem] }];
}

function summaryText({ isOk, conditions }: WaitResult, seconds: number, forMs: number): string {
  const notes = conditions
    .flatMap((condition) => condition.notes ?? [])
    .map((note) => `${escapeText(note)}\n`)
    .join('');
  if (isOk) {
    const stayed = forMs > 0 ? `, stayed ok for ${secondsText(forMs / 1000)}` : '';
    return `ok after ${secondsText(seconds)}${stayed}\n${notes}`;
  }
  const problems = conditions.flatMap((condition) => condition.problems);
  const lines = problems.map((problem) => `  ${escapeText(problem)}\n`);
  return `timed out after ${secondsText(seconds)}, ${countText(problems.length, 'thing')} in the way:\n${lines.join('')}${notes}`;
}

function readDuration(flag: string, text: string): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms <= maxHours * 3_600_000) return ms;
  const expected =
    ms === undefined ? 'a duration such as 500ms, 30s or 2m' : `a duration of at most ${maxHours}h`;
  throw new UsageError(`${flag}: expected ${expected}, got ${JSON.stringify(text.slice(0, 100))}`);
}

function readCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number of at most 9 digits');
}

function collect(name: string, names: readonly string[] = []): string[] {
  return [...names, readNodeName(name)];
}

function collectTarget(name: string, names: readonly string[] = []): string[] {
  return [...names, readTargetName(name)];
}

function collectKind(kind: string, kinds: readonly string[] = []): string[] {
  if ((findingKinds as readonly string[]).includes(kind)) return [...kinds, kind];
  throw new InvalidArgumentError(`expected one of ${findingKinds.join(', ')}`);
}
