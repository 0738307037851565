import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The double as a process of its own, obeying the commands of its `main.ts`. */
export class ApiServerProcess {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (!child.stdout) throw new Error('the double has no stdout');
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /**
   * @param program the bundled `main.ts`, see `bundle.ts`
   * @param wrap a command to run it under, such as `['ip', 'netns', 'exec', 'x']`
   */
  static start(program: string, wrap: readonly string[] = []): ApiServerProcess {
    const [command, ...args] = [...wrap, process.execPath, program];
    return new ApiServerProcess(spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
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
  }
}
