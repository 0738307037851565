import { join } from 'node:path';
import type { ComponentsReport, HealthAnswer } from '../../../api/schema/kubelet.js';
import { run, runIn } from './command.js';
import type { Host } from './plan.js';

/** What an agent tells whoever asks, every moment in it written as `<time>`. */
export interface Look {
  /** `meshprobe status --succinct`, columns one blank apart, without what losses leave behind. */
  readonly succinct: readonly string[];
  /** The problems of `meshprobe get`. */
  readonly problems: readonly string[];
  /** The answers of the health port: `200`, or `503` with the reasons; what is noted besides. */
  readonly liveness: string;
  readonly readiness: string;
  /** The component of `/status`. */
  readonly nodeSource: string;
}

const cli = join(import.meta.dirname, '../../../dist/cli/main.js');
const moment = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

// Asked from inside of the host, as a kubelet does.
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

/** Looks at the agent of a host with the CLI and by its health port. @throws Error where it is mute */
export async function lookAt(host: Host, socketPath: string): Promise<Look> {
  const meshprobe = (...args: string[]) =>
    run(process.execPath, [cli, '--host', `unix://${socketPath}`, ...args]);
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
    .map((line) => line.replaceAll(' (degraded)', '').trim().replace(/ +/g, ' '));
}

function verdictText({ code, body: { reasons, notes } }: Answer<HealthAnswer>): string {
  return timeless([`${code}`, ...reasons, ...notes.map((note) => `(${note})`)].join(' '));
}

function timeless(text: string): string {
  return text.replace(moment, '<time>');
}
