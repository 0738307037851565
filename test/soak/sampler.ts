import type { Findings } from '../../api/schema/v1/findings.js';
import { runIn } from '../lab/lib/command.js';
import type { Host } from '../lab/lib/plan.js';
import type { Mesh } from '../lab/lib/start-mesh.js';
import { getJson } from '../lab/lib/unix-socket.js';
import type { Sample } from './figures.js';
import { askHandles } from './handles.js';
import { readProcess } from './processes.js';

/** Where every agent serves `GET /metrics`, on the addresses of its own host. */
export const metricsPort = 9464;

interface Life {
  readonly sinceMs: number;
  /** The voluntary context switches at the last look. */
  switches: number;
  lookMs: number;
}

/** Takes samples of all agents of a mesh. */
export class Sampler {
  readonly samples: Sample[] = [];
  readonly #mesh: Mesh;
  readonly #folder: string;
  readonly #scrapeProgram: string;
  readonly #beganMs = performance.now();
  readonly #lives = new Map<number, Life>();
  constructor(mesh: Mesh, { folder, programs }: { folder: string; programs: string }) {
    this.#mesh = mesh;
    this.#folder = folder;
    this.#scrapeProgram = `${programs}/scrape.js`;
  }

  /** The time since the run began. */
  get nowMs(): number {
    return performance.now() - this.#beganMs;
  }

  /**
   * Takes one sample of each agent that runs.
   * @param isQuiet whether nothing was done to the cluster when the sample began and when it ended
   * @returns the samples
   */
  async look(isQuiet: () => boolean): Promise<readonly Sample[]> {
    const wasQuiet = isQuiet();
    const { agents, lab } = this.#mesh;
    agents.expectAlive();
    const ms = this.nowMs;
    const series = await this.#countSeries();
    const looks = lab.hosts.map((host) => this.#lookAt(host, ms, series[host.name]));
    const taken = (await Promise.all(looks)).flatMap((sample) => sample ?? []);
    const calm = wasQuiet && isQuiet();
    const samples = taken.map((sample) => ({ ...sample, isCalm: sample.isCalm && calm }));
    this.samples.push(...samples);
    return samples;
  }

  async #lookAt(host: Host, ms: number, series: number | undefined): Promise<Sample | undefined> {
    const { agents } = this.#mesh;
    const pid = agents.pid(host);
    if (pid === undefined) return undefined;
    const [known, told, findings] = await Promise.all([
      readProcess(pid),
      askHandles(this.#folder, pid, () => agents.pid(host) === pid),
      findingsOf(agents.socketPath(host)),
    ]);
    if (!known) return undefined;
    const { switches, ...ofProcess } = known;
    const life = this.#lives.get(pid) ?? { sinceMs: ms, switches, lookMs: ms };
    const wakeUps = ((switches - life.switches) * 1000) / (ms - life.lookMs);
    this.#lives.set(pid, { ...life, switches, lookMs: ms });
    return {
      ms,
      host: host.name,
      pid,
      ageMs: ms - life.sinceMs,
      isCalm: findings?.every(isSlowToClose) ?? false,
      findings,
      values: {
        ...ofProcess,
        ...told,
        ...(series !== undefined && { series }),
        ...(findings && { findings: findings.length }),
        ...(Number.isFinite(wakeUps) && { wakeUps }),
      },
    };
  }

  async #countSeries(): Promise<Readonly<Record<string, number>>> {
    const { lab } = this.#mesh;
    const urls = lab.hosts.map(
      ({ name, nodeIp }) => `${name}=http://${nodeIp}:${metricsPort}/metrics`,
    );
    const scrape = [process.execPath, this.#scrapeProgram, ...urls];
    const text = await runIn(lab.underlayNamespace, scrape);
    return JSON.parse(text) as Record<string, number>;
  }
}

/** Loss and slowness stay open for minutes after they end, and add hardly a series. */
function isSlowToClose(id: string): boolean {
  return /^(lossy|slow):/.test(id);
}

/** The ids of an agent's findings; undefined if it does not answer. */
async function findingsOf(socketPath: string): Promise<string[] | undefined> {
  const answer = getJson(socketPath, '/v1/findings').catch(() => undefined);
  return ((await answer) as Findings | undefined)?.findings.map(({ id }) => id);
}
