import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runIn } from '../lab/lib/command.js';
import type { Lab } from '../lab/lib/lab.js';
import { endProcess, spawnLogged } from '../resources/logged-process.js';
import { metricsPort } from './sampler.js';

/** A Prometheus on the underlay that scrapes all agents. */
export interface Prometheus {
  /** What it knows of its scrapes, in words. */
  summary(): Promise<string>;
  stop(): Promise<void>;
}

const scrapeEvery = '5s';
const listen = '127.0.0.1:9090';

/** Whether the command `prometheus` is there. */
export function hasPrometheus(): boolean {
  return spawnSync('prometheus', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Starts a Prometheus that keeps what it scrapes in this folder. */
export async function startPrometheus(lab: Lab, folder: string): Promise<Prometheus> {
  const config = join(folder, 'prometheus.json');
  const data = join(folder, 'prometheus');
  await mkdir(data);
  // JSON is YAML, which Prometheus reads.
  await writeFile(config, JSON.stringify(configOf(lab)));
  const flags = {
    'config.file': config,
    'storage.tsdb.path': data,
    'web.listen-address': listen,
    'log.level': 'warn',
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawnLogged(join(folder, 'prometheus.log'), [
    ...(['ip', 'netns', 'exec', lab.underlayNamespace] as const),
    ...['nice', '-n', '10', 'prometheus', ...words],
  ]);
  return {
    async summary() {
      // At one time, so that no scrape comes between.
      const at = Date.now() / 1000;
      const [scrapes, answered, series] = await Promise.all([
        ask(lab, 'sum(count_over_time(up[30d]))', at),
        ask(lab, 'sum(sum_over_time(up[30d]))', at),
        ask(lab, 'max(max_over_time(scrape_samples_scraped[30d]))', at),
      ]);
      return `${scrapes} scrapes, ${answered} answered; at most ${series} series an agent`;
    },
    stop: () => endProcess(child),
  };
}

function configOf({ hosts }: Lab): object {
  const targets = hosts.map(({ nodeIp }) => `${nodeIp}:${metricsPort}`);
  return {
    global: { scrape_interval: scrapeEvery, scrape_timeout: scrapeEvery },
    scrape_configs: [{ job_name: 'meshprobe', static_configs: [{ targets }] }],
  };
}

/** The value of a query that has one. */
async function ask({ underlayNamespace }: Lab, query: string, at: number): Promise<string> {
  const url = `http://${listen}/api/v1/query?query=${encodeURIComponent(query)}&time=${at}`;
  const program = `process.stdout.write(await (await fetch(${JSON.stringify(url)})).text())`;
  const words = [process.execPath, '--input-type=module', '--eval', program];
  const body = JSON.parse(await runIn(underlayNamespace, words)) as {
    readonly data?: { readonly result: readonly { readonly value: readonly [number, string] }[] };
  };
  return body.data?.result[0]?.value[1] ?? 'no';
}
