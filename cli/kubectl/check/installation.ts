import { setTimeout as delay } from 'node:timers/promises';
import { reason, type Kubectl } from '../kubectl.js';
import { CannotRun } from './cannot-run.js';
import type { Overlay } from './overlay.js';

interface NamespaceObject {
  readonly metadata: {
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** Pods end within ten seconds, and the namespace when they are gone. */
const removalMs = 120_000;
const pollMs = 1000;
/** Then a pod that is still there is on a node whose kubelet does not answer. */
const stuckMs = 15_000;
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const outside = ['clusterrolebinding', 'clusterrole'] as const;
const instanceLabel = 'app.kubernetes.io/instance';
const enforceLabel = 'pod-security.kubernetes.io/enforce';

/** All that a check makes. It knows what it made, and removes nothing else. */
export class Installation {
  readonly #kubectl: Kubectl;
  readonly #namespace: string;
  readonly #instance: string;
  #uid: string | undefined;
  /** The objects outside of the namespace may be there. */
  #hasOutside = false;

  /** @param kubectl is not to end in the middle: what was made would not be known */
  constructor(kubectl: Kubectl, namespace: string, instance: string) {
    this.#kubectl = kubectl;
    this.#namespace = namespace;
    this.#instance = instance;
  }

  /**
   * Makes the namespace.
   * @throws CannotRun where it exists, is refused, or would not let the agents in
   */
  async makeNamespace({ namespaceFolder }: Overlay): Promise<void> {
    const { code, stdout, stderr } = await this.#create(namespaceFolder, 'json');
    const made = code === 0 ? parseNamespace(stdout) : await this.#findOwn();
    if (!made) {
      throw new CannotRun(
        /\(AlreadyExists\)/.test(stderr)
          ? `namespace ${this.#namespace} exists: expected a name that is free`
          : reason(stderr),
      );
    }
    this.#uid = made.metadata.uid;
    const level = made.metadata.labels?.[enforceLabel];
    if (level !== 'privileged') {
      throw new CannotRun(
        `the namespace was made with ${enforceLabel}=${level ?? '(none)'}: expected privileged, which the agents need (host network, NET_RAW); something in the cluster changed it`,
      );
    }
  }

  /**
   * Makes all that is in the namespace, and the right to list nodes.
   * @throws CannotRun where any of it is refused
   */
  async makeObjects({ objectsFolder }: Overlay): Promise<void> {
    this.#hasOutside = true;
    const { code, stderr } = await this.#create(objectsFolder, 'name');
    if (code !== 0) throw new CannotRun(reason(stderr));
  }

  /** Whether there is anything to remove. */
  get isMade(): boolean {
    return this.#uid !== undefined;
  }

  /** The commands that remove everything. */
  get removalCommands(): readonly string[] {
    const kubectl = ['kubectl', ...this.#kubectl.flags].join(' ');
    return [
      `${kubectl} delete namespace ${this.#namespace}`,
      ...(this.#hasOutside
        ? [`${kubectl} delete clusterrolebinding,clusterrole ${this.#instance}`]
        : []),
    ];
  }

  /**
   * Removes everything, and resolves with what stays: undefined where it is all gone.
   * @param signal the user does not want to wait any more
   */
  async remove(signal: AbortSignal): Promise<string | undefined> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(removalMs)]);
    for (const kind of this.#hasOutside ? outside : []) {
      const path = `${rbac}/${kind}s/${this.#instance}`;
      const { code, stderr } = await this.#kubectl.run(['delete', `--raw=${path}`]);
      if (code !== 0 && !isNotFound(stderr)) return reason(stderr);
    }
    this.#hasOutside = false;
    const why = await this.#deleteNamespace();
    if (why !== undefined) return why;
    const deletedMs = performance.now();
    while (await this.#namespaceExists()) {
      if (performance.now() - deletedMs >= stuckMs) await this.#forgetPods();
      try {
        await delay(pollMs, undefined, { signal: deadline });
      } catch {
        return `namespace ${this.#namespace} is still there`;
      }
    }
    this.#uid = undefined;
    return undefined;
  }

  async #deleteNamespace(): Promise<string | undefined> {
    // One that was made anew under the same name is not this one.
    const input = JSON.stringify({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: this.#uid },
    });
    const args = ['delete', `--raw=${this.#path}`, '-f', '-'];
    const { code, stderr } = await this.#kubectl.run(args, { input });
    return code === 0 || isNotFound(stderr) ? undefined : reason(stderr);
  }

  /** The kubelet ends the containers of a pod that the API server does not know, when it is back. */
  async #forgetPods(): Promise<void> {
    const path = `${this.#path}/pods`;
    const input = JSON.stringify({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
    });
    const pods = this.#kubectl.list(path, {}, 'this user may not list pods') as AsyncIterable<{
      readonly metadata: { readonly name: string };
    }>;
    for await (const { metadata } of pods) {
      await this.#kubectl.run(['delete', `--raw=${path}/${metadata.name}`, '-f', '-'], { input });
    }
  }

  async #namespaceExists(): Promise<boolean> {
    const { code, stdout, stderr } = await this.#kubectl.run(['get', `--raw=${this.#path}`]);
    if (code !== 0) return !isNotFound(stderr);
    return parseNamespace(stdout)?.metadata.uid === this.#uid;
  }

  /** The answer may have got lost: only one with this label, which nobody else has, was made here. */
  async #findOwn(): Promise<NamespaceObject | undefined> {
    const { code, stdout } = await this.#kubectl.run(['get', `--raw=${this.#path}`]);
    const found = code === 0 ? parseNamespace(stdout) : undefined;
    return found?.metadata.labels?.[instanceLabel] === this.#instance ? found : undefined;
  }

  get #path(): string {
    return `/api/v1/namespaces/${this.#namespace}`;
  }

  #create(folder: string, output: 'json' | 'name') {
    return this.#kubectl.run(['create', '-k', folder, '-o', output, '--validate=false']);
  }
}

function isNotFound(stderr: string): boolean {
  return /\(NotFound\)/.test(stderr);
}

function parseNamespace(text: string): NamespaceObject | undefined {
  try {
    const body = JSON.parse(text) as Partial<NamespaceObject>;
    return typeof body.metadata?.uid === 'string' ? { metadata: body.metadata } : undefined;
  } catch {
    return undefined;
  }
}
