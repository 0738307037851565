import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The double as a process of its own, obeying the commands of its `main.ts`. */
export class ApiServerProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #answers: AsyncIterator<string>;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    if (!child.stdout) throw new Error('the double has no stdout');
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** @param wrap a command to run it under, such as `['ip', 'netns', 'exec', 'x']` */
  static async start(wrap: readonly string[] = []): Promise<ApiServerProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'meshprobe-double-'));
    const outfile = join(folder, 'main.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('./main.ts', import.meta.url))],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    const [command, ...args] = [...wrap, process.execPath, outfile];
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    return new ApiServerProcess(child, folder);
  }

  /** One command, one answer; not to be called again before that. */
  async tell(command: object): Promise<Record<string, unknown>> {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
    const next = await this.#answers.next();
    if (next.done) throw new Error('the double has ended');
    const answer = JSON.parse(next.value) as Record<string, unknown>;
    if (typeof answer['error'] === 'string') throw new Error(answer['error']);
    return answer;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.stdin?.end();
    if (this.#child.exitCode === null && this.#child.signalCode === null) await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
