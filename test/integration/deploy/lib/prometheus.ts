import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { stringify } from 'yaml';
import { findTool, whyNoTool } from './tools.js';
import { freePort } from '../../lib/free-port.js';

/** One series of a query's result, with its present value. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** One rule that Prometheus has loaded. */
export interface LoadedRule {
  readonly name: string;
  readonly state: 'inactive' | 'pending' | 'firing';
  /** `ok` after the rule was evaluated without an error. */
  readonly health: string;
  readonly alerts: readonly { readonly labels: Readonly<Record<string, string>> }[];
}

/** A real Prometheus on loopback. It scrapes agents as a Prometheus without the operator does. */
export class Prometheus {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #folder: string;
  readonly #url: string;
  #log = '';

  private constructor(child: ChildProcess, folder: string, url: string) {
    this.#child = child;
    this.#folder = folder;
    this.#url = url;
    this.#exited = once(child, 'close');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#log += text));
  }

  /**
   * Starts Prometheus. It scrapes the agents and evaluates the rules once a second.
   * @param instances the name of each agent, and the `host:port` of its metrics
   */
  static async start(
    instances: ReadonlyMap<string, string>,
    ruleFiles: readonly string[],
  ): Promise<Prometheus> {
    const program = findTool('prometheus');
    if (program === undefined) throw new Error(whyNoTool('prometheus'));
    const folder = mkdtempSync(join(tmpdir(), 'meshprobe-prometheus-'));
    const configPath = join(folder, 'prometheus.yaml');
    writeFileSync(configPath, stringify(configOf(instances, ruleFiles)));
    const address = `127.0.0.1:${await freePort()}`;
    const args = [
      `--config.file=${configPath}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ];
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const prometheus = new Prometheus(child, folder, `http://${address}`);
    try {
      await prometheus.#untilReady();
    } catch (error) {
      await prometheus.stop();
      throw error;
    }
    return prometheus;
  }

  /**
   * Runs an instant query and returns its series.
   * @throws Error with Prometheus' own words if the query is invalid
   */
  async query(expression: string): Promise<readonly Series[]> {
    const { result } = await this.#get<{ result: Series[] }>('query', { query: expression });
    return result;
  }

  /** All values of a label on the series of one metric. */
  labelValues(label: string, metric: string): Promise<readonly string[]> {
    return this.#get(`label/${label}/values`, { 'match[]': metric });
  }

  async rules(): Promise<readonly LoadedRule[]> {
    const { groups } = await this.#get<{ groups: { rules: LoadedRule[] }[] }>('rules');
    return groups.flatMap(({ rules }) => rules);
  }

  /**
   * The last scrape error of each target, by instance. The text is empty if the last scrape
   * succeeded.
   */
  async scrapeErrors(): Promise<ReadonlyMap<string, string>> {
    const { activeTargets } = await this.#get<{
      activeTargets: { labels: { instance: string }; health: string; lastError: string }[];
    }>('targets');
    return new Map(
      activeTargets.map(({ labels, health, lastError }) => [
        labels.instance,
        health === 'up' ? '' : `${health}: ${lastError}`,
      ]),
    );
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await this.#exited;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #untilReady(): Promise<void> {
    await vi.waitFor(
      async () => {
        const { status } = await fetch(`${this.#url}/-/ready`);
        if (status !== 200) throw new Error(`expected a ready Prometheus, got:\n${this.#log}`);
      },
      { timeout: 30_000, interval: 50 },
    );
  }

  async #get<T>(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<T> {
    const query = new URLSearchParams(parameters).toString();
    const response = await fetch(`${this.#url}/api/v1/${path}?${query}`);
    const body = (await response.json()) as { status: string; data: T; error?: string };
    if (body.status !== 'success') throw new Error(`${parameters['query'] ?? path}: ${body.error}`);
    return body.data;
  }
}

function configOf(instances: ReadonlyMap<string, string>, ruleFiles: readonly string[]) {
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ruleFiles,
    scrape_configs: [
      {
        job_name: 'meshprobe',
        static_configs: [...instances].map(([instance, target]) => ({
          targets: [target],
          labels: { instance },
        })),
      },
    ],
  };
}
