import { ApiError, isUnknownNode, isUnknownTarget } from '../api/client/api-error.js';
import type { Client } from '../api/client/client.js';
import type { Finding } from '../api/schema/v1/findings.js';
import { notProbedText } from '../api/schema/v1/not-probed.js';
import type { Summary } from '../api/schema/v1/summary.js';
import { concerns } from './commands/diagnose.js';
import { reasonOf } from './reason.js';
import { problemsLines } from './view/agent-problems-text.js';
import { countText, unexplainedText } from './view/age-text.js';
import { notFromText, planesOf, type OnePlane } from './view/target-planes.js';

/** A condition. It holds if it has no problems. */
export interface Condition {
  readonly name: string;
  readonly problems: readonly string[];
  /** What is to be known beside, though it is not in the way. */
  readonly notes?: readonly string[];
}

export interface ConditionOptions {
  readonly minNodes?: number;
  /** The nodes to look at; undefined for the whole cluster. */
  readonly node?: readonly string[];
  /** The kinds of findings to look at; undefined for all kinds. */
  readonly kind?: readonly string[];
  /** The targets to look at, and without `node` and `kind` nothing else; undefined for none by name. */
  readonly target?: readonly string[];
  /** Leaves out findings about nodes that the cluster itself calls NotReady. */
  readonly ignoreNotReady?: boolean;
}

type V1 = Pick<Client, 'summary' | 'findings' | 'node' | 'target'>;

/**
 * Returns the conditions and their current problems. An agent that does not answer is a problem
 * like any other.
 * @throws ApiError if asking again cannot help, because there is no agent or access is denied
 */
export async function checkConditions(client: V1, options: ConditionOptions): Promise<Condition[]> {
  try {
    return await askConditions(client, options);
  } catch (error) {
    if (!(error instanceof ApiError) || !mayPass(error)) throw error;
    return [{ name: 'the agent answers', problems: [error.message] }];
  }
}

/** Whether asking again may help, for example after a restart of the agent. */
function mayPass(error: ApiError): boolean {
  if (error.kind === 'status') return (error.statusCode ?? 0) >= 500;
  return ['absent', 'absent-host', 'refused', 'refused-port', 'timeout', 'gone'].includes(
    error.kind,
  );
}

async function askConditions(client: V1, options: ConditionOptions): Promise<Condition[]> {
  const { minNodes, node: names, kind: kinds, target: targets, ignoreNotReady = false } = options;
  const [summary, { findings }] = await Promise.all([client.summary(), client.findings()]);
  const ignored = ignoreNotReady ? findings.filter(({ known }) => known !== undefined) : [];
  const counted = findings
    .filter((finding) => !ignored.includes(finding))
    .filter(({ kind }) => kinds?.includes(kind) ?? true);
  const isAboutTargets = targets !== undefined && names === undefined && kinds === undefined;
  const conditions: Condition[] = [
    { name: 'the agent answers', problems: [] },
    {
      name: 'the agent knows the cluster',
      problems: isAboutTargets ? [] : unknownProblems(summary, names !== undefined),
      notes: isAboutTargets ? problemsLines(summary) : notesOf(summary),
    },
  ];
  if (minNodes !== undefined) {
    const { active } = summary.nodes;
    const problem = `${countText(active, 'active node')}, expected at least ${minNodes}`;
    conditions.push({
      name: `at least ${countText(minNodes, 'node')}`,
      problems: active >= minNodes ? [] : [problem],
    });
  }
  for (const target of targets ?? []) conditions.push(await targetCondition(client, target));
  if (names) {
    const judgesAll = kinds === undefined;
    for (const name of names) {
      conditions.push(await nodeCondition(client, name, { counted, ignored, judgesAll }));
    }
    return conditions;
  }
  if (targets && kinds === undefined) return conditions;
  const texts = counted.map(({ kind, text }) => `${kind}: ${text}`);
  // A verdict that only ignored findings have made says nothing against the cluster.
  const isOk = kinds !== undefined || summary.verdict === 'unknown' || ignored.length > 0;
  conditions.push({
    name: kinds ? `no finding of ${kinds.join(', ')}` : 'the verdict is ok',
    problems:
      texts.length > 0 || isOk || summary.verdict === 'ok'
        ? texts
        : [`the verdict is ${summary.verdict}: ${reasonOf(summary)}`],
  });
  return conditions;
}

/** What is not known of the cluster yet. An open finding may hide failing pairs without a cause. */
function unknownProblems(summary: Summary, isAboutNodes: boolean): string[] {
  const { verdict, unexplained = 0, unexplainedTargets = 0, notProbed = [] } = summary;
  const lacking = notProbedText(notProbed.filter(({ switchedOff }) => !switchedOff));
  if (lacking !== undefined && verdict !== 'unknown') return [lacking];
  // Of single nodes their own verdicts tell it.
  if (isAboutNodes && unexplained + unexplainedTargets > 0) return [];
  if (verdict === 'unknown') return [reasonOf(summary)];
  const failing = unexplainedText(unexplained, unexplainedTargets);
  return failing === '' ? [] : [`${failing}, cause not known yet`];
}

function notesOf(summary: Summary): string[] {
  const notProbed = notProbedText(summary.notProbed?.filter(({ switchedOff }) => switchedOff));
  return [...(notProbed === undefined ? [] : [notProbed]), ...problemsLines(summary)];
}

interface FindingsToJudge {
  readonly counted: readonly Finding[];
  readonly ignored: readonly Finding[];
  /** All kinds are counted, so the node's verdict counts too. */
  readonly judgesAll: boolean;
}

/** A target that loses probes, answers slowly or has an old certificate is reached all the same. */
async function targetCondition(client: V1, name: string): Promise<Condition> {
  const title = `target ${name} is reached`;
  try {
    const planes = planesOf(await client.target(name));
    // A plane that no node has is not waited for.
    const looking = planes.filter(([, { reached }]) => reached.of + reached.notLooked > 0);
    return {
      name: title,
      problems: (looking.length > 0 ? looking : planes).flatMap((one) => planeProblems(name, one)),
    };
  } catch (error) {
    // The file of targets may get it yet.
    if (!isUnknownTarget(error)) throw error;
    return { name: title, problems: [error.serverMessage ?? error.message] };
  }
}

function planeProblems(name: string, [plane, body]: OnePlane): string[] {
  const { reached, reason, failure } = body;
  const where = `target ${name} on the ${plane} plane`;
  if (reached.of === 0) {
    return [`${where}: nobody has looked yet${reason === undefined ? '' : ` (${reason})`}`];
  }
  if (reached.from === reached.of) return [];
  const from = `${reached.from} of ${countText(reached.of, 'node')}`;
  const why = failure === undefined ? '' : ` (${failure})`;
  return [`${where}: reached from ${from}, not from ${notFromText(body, 3)}${why}`];
}

async function nodeCondition(
  client: V1,
  name: string,
  { counted, ignored, judgesAll }: FindingsToJudge,
): Promise<Condition> {
  const title = `node ${name} is ok`;
  try {
    const node = await client.node(name);
    const isAbout = (finding: Finding) => concerns(finding, node);
    const texts = counted.filter(isAbout).map(({ kind, text }) => `${kind}: ${text}`);
    const isOk = !judgesAll || node.verdict === 'ok' || ignored.some(isAbout);
    const problems = texts.length > 0 || isOk ? texts : [`${node.name} is ${node.verdict}`];
    return { name: title, problems };
  } catch (error) {
    // An unknown node may still join.
    if (!isUnknownNode(error)) throw error;
    return { name: title, problems: [error.serverMessage ?? error.message] };
  }
}
