import { agentPartSchema, type AgentPart } from '../../../api/schema/v1/check.js';
import { reason, type Kubectl } from '../kubectl.js';

/** An agent that is stuck, or whose node is not reached from the API server, is not waited for longer. */
const answerMs = 20_000;

/** What an agent told, or why it told nothing. */
export type AgentAnswer = { readonly part: AgentPart } | { readonly why: string };

/** Asks the agent in a pod how far it is, or for all that it knows. */
export async function askAgent(
  kubectl: Kubectl,
  namespace: string,
  pod: string,
  what: 'progress' | 'all',
): Promise<AgentAnswer> {
  const command = ['meshprobe', 'check', '--of-agent', what, '--timeout', '10s'];
  const { code, stdout, stderr } = await kubectl.run(
    ['exec', `--namespace=${namespace}`, pod, '--container=agent', '--', ...command],
    { timeoutMs: answerMs },
  );
  if (code === null) return { why: `no answer within ${answerMs / 1000} s` };
  if (code !== 0) return { why: whyFailed(stderr) };
  return readPart(stdout);
}

function readPart(text: string): AgentAnswer {
  try {
    const read = agentPartSchema.safeParse(JSON.parse(text));
    if (read.success) return { part: read.data };
    const [issue] = read.error.issues;
    return {
      why: `expected what an agent tells, got ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
    };
  } catch {
    return { why: 'expected what an agent tells as JSON, got something else' };
  }
}

function whyFailed(stderr: string): string {
  const own = stderr.split('\n').find((line) => line.startsWith('meshprobe: '));
  return own === undefined ? reason(stderr) : own.slice('meshprobe: '.length);
}
