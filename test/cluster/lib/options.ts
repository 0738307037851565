import { parseArgs } from 'node:util';
import { maxNodes } from './place.js';

/** An argument is wrong. The user gets the message on one line, and the exit code is 2. */
export class ClusterUsageError extends Error {}

export type ClusterCommand =
  | { readonly name: 'help' | 'down' }
  | {
      readonly name: 'up';
      readonly nodes: number;
      readonly baseImage?: string;
      readonly values?: readonly string[];
    }
  | { readonly name: 'exec'; readonly node?: number; readonly command: readonly string[] }
  | { readonly name: NodeCommand; readonly node: number };

const nodeCommands = ['on', 'off', 'reboot', 'cut', 'join'] as const;
type NodeCommand = (typeof nodeCommands)[number];

export const usage = `Usage: npm run cluster -- up [--nodes N] [--base-image IMAGE] [--set KEY=VALUE]... [--no-install]
       npm run cluster -- exec [--node NODE] [--] [COMMAND...]
       npm run cluster -- on|off|reboot|cut|join NODE
       npm run cluster -- down

Starts a real Kubernetes on this machine, with meshprobe on it: etcd, the API server, its controllers, and nodes,
each a network and a mount namespace with a containerd, a kubelet and a kube-proxy of its own. Nothing of it has a
route out. Ctrl-C ends it and leaves nothing behind; if it was killed, down does that. It takes root, Debian's
packages containerd, runc, containernetworking-plugins, nftables, conntrack, openssl, buildah, debootstrap and
busybox-static, and what 'npm run tools -- kubernetes' builds.

  up       starts it and stays
    --nodes N            how many nodes, 1 to ${maxNodes} (default: 4)
    --base-image IMAGE   what deploy/Dockerfile begins with, such as node:24-slim (default: one is made of Debian
                         and of Node's npm package, for machines that reach no registry of images)
    --set KEY=VALUE      a value of the chart
    --no-install         a cluster without meshprobe
  exec     runs a command, or a shell, beside the API server, with kubectl, helm and the plug-in in its PATH
    --node NODE          on a node instead
  off      all processes of a node end at once;  on starts it, a new one too;  reboot does both
  cut      takes the cable out of a node;  join puts it back
  down     ends a cluster, whoever started it

Examples:
  npm run cluster -- up --nodes 4
  npm run cluster -- exec kubectl get pods -A -o wide
  npm run cluster -- exec kubectl meshprobe diagnose
  npm run cluster -- exec --node node2 ip route
  npm run cluster -- cut node3
`;

/**
 * Reads the arguments.
 * @throws ClusterUsageError naming the argument, what was expected and what was got
 */
export function readCommand(argv: readonly string[]): ClusterCommand {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    return { name: 'help' };
  }
  if (name === 'exec') return readExec(rest);
  const { values, positionals } = parse(rest);
  if (values.help === true) return { name: 'help' };
  if (name === 'up' || name === 'down') {
    const [extra] = positionals;
    if (extra !== undefined) throw new ClusterUsageError(`${name}: unexpected ${quote(extra)}`);
    if (name === 'up') return readUp(values);
    expectNoOptions(name, values);
    return { name };
  }
  const command = nodeCommands.find((one) => one === name);
  if (command === undefined) {
    const known = ['up', 'down', 'exec', ...nodeCommands].join(', ');
    throw new ClusterUsageError(`expected one of ${known}, got ${quote(name)} (see --help)`);
  }
  expectNoOptions(command, values);
  if (positionals.length !== 1) throw new ClusterUsageError(`${command}: expected one node`);
  return { name: command, node: nodeNumber(positionals[0] ?? '') };
}

type Values = ReturnType<typeof parse>['values'];

function readUp(values: Values): ClusterCommand {
  const text = values.nodes ?? '4';
  const nodes = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (nodes < 1 || nodes > maxNodes) {
    throw new ClusterUsageError(
      `--nodes: expected a whole number from 1 to ${maxNodes}, got ${quote(text)}`,
    );
  }
  const base = values['base-image'];
  return {
    name: 'up',
    nodes,
    ...(base !== undefined && { baseImage: base }),
    ...(values['no-install'] !== true && { values: values.set ?? [] }),
  };
}

/** What comes after the options of exec belongs to the command. */
function readExec(args: readonly string[]): ClusterCommand {
  const [first = '', second] = args;
  if (first === '--help') return { name: 'help' };
  if (first === '--node') {
    if (second === undefined) throw new ClusterUsageError('--node: expected a node');
    return { name: 'exec', node: nodeNumber(second), command: withoutDashes(args.slice(2)) };
  }
  if (/^--node=/.test(first)) {
    return {
      name: 'exec',
      node: nodeNumber(first.slice(7)),
      command: withoutDashes(args.slice(1)),
    };
  }
  if (first.startsWith('-') && first !== '--') {
    throw new ClusterUsageError(`exec: unexpected ${quote(first)} (see --help)`);
  }
  return { name: 'exec', command: withoutDashes(args) };
}

const withoutDashes = (args: readonly string[]) => (args[0] === '--' ? args.slice(1) : args);

function nodeNumber(text: string): number {
  const number = Number(/^(?:node)?(\d{1,2})$/.exec(text)?.[1] ?? 0);
  if (number >= 1 && number <= maxNodes) return number;
  throw new ClusterUsageError(`expected a node from node1 to node${maxNodes}, got ${quote(text)}`);
}

function expectNoOptions(command: string, values: Values): void {
  const [option] = Object.keys(values);
  if (option !== undefined) throw new ClusterUsageError(`${command}: unexpected --${option}`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        nodes: { type: 'string' },
        'base-image': { type: 'string' },
        set: { type: 'string', multiple: true },
        'no-install': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    const [firstSentence = ''] = (error as Error).message.split(/[.\n]/);
    throw new ClusterUsageError(`${firstSentence} (see --help)`);
  }
}

const quote = (text: string) => JSON.stringify(text);
