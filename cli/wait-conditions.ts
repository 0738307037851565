import { ApiError } from '../api/client/api-error.js';
import type { Client } from '../api/client/client.js';
import type { Finding } from '../api/schema/v1/findings.js';
import { concerns } from './commands/diagnose.js';
import { countText } from './view/age-text.js';

/** A condition. It holds if it has no problems. */
export interface Condition {
  readonly name: string;
  readonly problems: readonly string[];
}

export interface ConditionOptions {
  readonly minNodes?: number;
  /** The nodes to look at; undefined for the whole cluster. */
  readonly node?: readonly string[];
  /** The kinds of findings to look at; undefined for all kinds. */
  readonly kind?: readonly string[];
}

type V1 = Pick<Client, 'summary' | 'findings' | 'node'>;

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
  return ['absent', 'refused', 'timeout', 'gone'].includes(error.kind);
}

async function askConditions(client: V1, options: ConditionOptions): Promise<Condition[]> {
  const { minNodes, node: names, kind: kinds } = options;
  const [summary, { findings }] = await Promise.all([client.summary(), client.findings()]);
  const counted = kinds ? findings.filter(({ kind }) => kinds.includes(kind)) : findings;
  const isUnknown = summary.verdict === 'unknown';
  const conditions: Condition[] = [
    { name: 'the agent answers', problems: [] },
    {
      name: 'the agent knows the cluster',
      problems: isUnknown ? ['the first sweep is not done, or there is no node list'] : [],
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
  if (names) {
    for (const name of names) conditions.push(await nodeCondition(client, name, counted, kinds));
    return conditions;
  }
  const texts = counted.map(({ kind, text }) => `${kind}: ${text}`);
  const isOk = kinds !== undefined || summary.verdict === 'ok' || isUnknown;
  conditions.push({
    name: kinds ? `no finding of ${kinds.join(', ')}` : 'the verdict is ok',
    problems: texts.length > 0 || isOk ? texts : [`the verdict is ${summary.verdict}`],
  });
  return conditions;
}

async function nodeCondition(
  client: V1,
  name: string,
  findings: readonly Finding[],
  kinds: readonly string[] | undefined,
): Promise<Condition> {
  const title = `node ${name} is ok`;
  try {
    const node = await client.node(name);
    const texts = findings
      .filter((finding) => concerns(finding, node))
      .map(({ kind, text }) => `${kind}: ${text}`);
    const isOk = kinds !== undefined || node.verdict === 'ok';
    const problems = texts.length > 0 || isOk ? texts : [`${node.name} is ${node.verdict}`];
    return { name: title, problems };
  } catch (error) {
    // An unknown node may still join.
    const words = error instanceof ApiError ? error.serverMessage : undefined;
    if (words?.startsWith('there is no node') !== true) throw error;
    return { name: title, problems: [words] };
  }
}
