import { mkdtempSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Agents } from './agents.js';
import type { Host } from './plan.js';
import { getJson } from './unix-socket.js';

/** Of how many agents the reports of the same wrong finding are kept. */
const mostOfOneKind = 2;

/**
 * Keeps the reports of agents that were wrong, so that they can be looked at after the lab is gone:
 * `npm run sim -- replay FILE` makes their findings again.
 */
export class KeptReports {
  readonly #agents: Agents;
  readonly #round: string;
  readonly #paths: string[] = [];
  /** The hosts whose report is kept, by what was wrong. */
  readonly #hosts = new Map<string, Set<Host>>();
  static #folder = process.env['LAB_REPORTS'];

  /** @param round its name, with which the names of the files begin */
  constructor(agents: Agents, round: string) {
    this.#agents = agents;
    this.#round = round;
  }

  /** The files, and why one of them is not there. */
  get paths(): readonly string[] {
    return this.#paths;
  }

  /**
   * Asks an agent for its report and keeps it, if there are not enough of them.
   * @param afterMs how long the faults have lasted
   */
  async keep(host: Host, wrong: string, afterMs: number): Promise<void> {
    const hosts = this.#hosts.get(wrong) ?? new Set();
    this.#hosts.set(wrong, hosts);
    if (hosts.has(host) || hosts.size >= mostOfOneKind) return;
    hosts.add(host);
    const name = `${this.#round}-${host.name}-${(afterMs / 1000).toFixed(1)}s-${wrong}`;
    try {
      this.#paths.push(await this.#write(host, name.replaceAll(/[^A-Za-z0-9.-]+/g, '_')));
    } catch (error) {
      this.#paths.push(`no report ${name}: ${String(error)}`);
    }
  }

  async #write(host: Host, name: string): Promise<string> {
    const report = await getJson(this.#agents.socketPath(host), '/v1/report');
    const folder = (KeptReports.#folder ??= mkdtempSync(join(tmpdir(), 'meshprobe-lab-reports-')));
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${name}.json.gz`);
    await writeFile(path, await promisify(gzip)(JSON.stringify(report)));
    return path;
  }
}
