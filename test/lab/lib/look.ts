import type { ComponentsReport, HealthAnswer } from '../../../api/schema/kubelet.js';
import { runHere } from '../../integration/lib/run-here.js';
import { runIn } from './command.js';
import type { Host } from './plan.js';

/** Everything that an agent says to its readers. Each time in it is written as `<time>`. */
export interface Look {
  /**
   * The lines of `meshprobe status --succinct`, with single spaces and without the traces of
   * losses.
   */
  readonly succinct: readonly string[];
  /** The problems of `meshprobe get`. */
  readonly problems: readonly string[];
  /** An answer of the health port: `200` or `503`, and the reasons or notes in brackets. */
  readonly liveness: string;
  readonly readiness: string;
  /** The message of this component in `/status`. */
  readonly nodeSource: string;
}

const moment = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

// The question is asked from inside the host, as a kubelet asks.
const askHealthPort = `
const paths = ['liveness', 'readiness', 'status'];
const ask = async (path) => {
  const answer = await fetch('http://127.0.0.1:4241/' + path);
  return { code: answer.status, body: await answer.json() };
};
Promise.all(paths.map(ask)).then((answers) => console.log(JSON.stringify(answers)));
`;

interface Answer<T> {
  readonly code: number;
  readonly body: T;
}

/** Asks the agent of a host with the CLI and on its health port. */
export async function lookAt(host: Host, socketPath: string): Promise<Look> {
  const meshprobe = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(['--host', `unix://${socketPath}`, ...args]);
    if (code !== 0) throw new Error(`${args.join(' ')}: exit code ${code}\n${stderr}`);
    return stdout;
  };
  const [succinct, get, health] = await Promise.all([
    meshprobe('status', '--succinct'),
    meshprobe('get'),
    runIn(host.namespace, [process.execPath, '-e', askHealthPort]),
  ]);
  const [live, ready, status] = JSON.parse(health) as [
    Answer<HealthAnswer>,
    Answer<HealthAnswer>,
    Answer<ComponentsReport>,
  ];
  return {
    succinct: linesOf(succinct).filter((line) => !line.startsWith('Name IP ')),
    problems: linesOf(get).flatMap((line) => /^Problem: (.*)/.exec(line)?.[1] ?? []),
    liveness: verdictText(live),
    readiness: verdictText(ready),
    nodeSource: timeless(status.body.components['node-source']?.message ?? ''),
  };
}

function linesOf(text: string): string[] {
  return timeless(text)
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(/ \((lossy|slow|lossy, slow)\)/g, '')
        .trim()
        .replace(/ +/g, ' '),
    );
}

function verdictText({ code, body: { reasons, notes } }: Answer<HealthAnswer>): string {
  return timeless([`${code}`, ...reasons, ...notes.map((note) => `(${note})`)].join(' '));
}

function timeless(text: string): string {
  return text.replace(moment, '<time>');
}
