import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { endCluster } from './down.js';
import { setLink } from './network.js';
import { bootNode, switchOff } from './node.js';
import { ClusterUsageError, readCommand, usage, type ClusterCommand } from './options.js';
import { inControl, inNode, kubeconfig, nodeOf, programsFolder, stateFolder } from './place.js';
import { whyNoCluster } from './requirements.js';
import { ClusterError, startCluster, type UpOptions } from './up.js';

const guide = `
The cluster is ready. Ctrl-C ends it and leaves nothing behind. In another terminal:

  npm run cluster -- exec                                   # a shell with kubectl, helm and the plug-in
  npm run cluster -- exec kubectl get pods -A -o wide
  npm run cluster -- exec kubectl meshprobe diagnose
  npm run cluster -- exec helm -n meshprobe list
  npm run cluster -- exec --node node2 ip route             # on a node
  npm run cluster -- cut node3                              # and join node3 puts the cable back
  npm run cluster -- off node4                              # and on node4
`;

/** Runs a command of `npm run cluster` and resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await runCommand(readCommand(argv));
  } catch (error) {
    const expected = error instanceof ClusterUsageError || error instanceof ClusterError;
    const text = expected ? error.message : ((error as Error).stack ?? String(error));
    process.stderr.write(`cluster: ${text}\n`);
    return error instanceof ClusterUsageError ? 2 : 1;
  }
}

async function runCommand(command: ClusterCommand): Promise<number> {
  switch (command.name) {
    case 'help':
      process.stdout.write(usage);
      return 0;
    case 'up':
      return up(command);
    case 'down':
      say((await endCluster()) ? 'the cluster is removed' : 'no cluster was there');
      return 0;
    case 'exec':
      return execute(command.node, command.command);
    case 'on':
    case 'off':
    case 'reboot':
    case 'cut':
    case 'join':
      return changeNode(command.name, command.node);
  }
}

async function up(options: UpOptions): Promise<number> {
  const missing = whyNoCluster(options.baseImage !== undefined);
  if (missing !== undefined) throw new ClusterError(`no cluster can be started here: ${missing}`);
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => resolve('stopped'));
    }
    process.stdout.on('error', () => resolve('stopped'));
  });
  const startedMs = performance.now();
  const started = startCluster(options, say);
  let isOurs = true;
  try {
    const first = await Promise.race([started, stopped]);
    if (first !== 'stopped') {
      say(`ready after ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
      process.stdout.write(guide);
      // A promise alone keeps no process alive.
      const alive = setInterval(() => undefined, 60_000);
      await stopped;
      clearInterval(alive);
    }
    return 0;
  } catch (error) {
    // The one that is there already is not this one.
    isOurs = !(error instanceof ClusterError);
    throw error;
  } finally {
    // A start that goes on would make anew what is removed.
    started.catch(() => undefined);
    if (isOurs) {
      await endCluster();
      say('stopped; nothing is left behind');
    }
  }
}

/** Runs a command beside the API server or on a node, with the terminal of this one. */
async function execute(node: number | undefined, command: readonly string[]): Promise<number> {
  expectCluster();
  const inner = command.length > 0 ? command : [process.env['SHELL'] ?? '/bin/sh'];
  const place = node === undefined ? inControl(inner) : inNode(nodeOf(node), inner);
  const [program, ...args] = place;
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      KUBECONFIG: kubeconfig,
      PATH: `${programsFolder}:${process.env['PATH'] ?? ''}`,
    },
  });
  // The terminal sends Ctrl-C to the command too, which answers it.
  process.on('SIGINT', () => undefined);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function changeNode(
  name: 'on' | 'off' | 'reboot' | 'cut' | 'join',
  number: number,
): Promise<number> {
  expectCluster();
  const node = nodeOf(number);
  if (name === 'cut' || name === 'join') {
    await setLink(node, name === 'cut' ? 'down' : 'up');
    return 0;
  }
  const isOn = existsSync(`/run/netns/${node.namespace}`);
  if (name === 'on' ? isOn : !isOn) {
    throw new ClusterError(`${node.name} is ${isOn ? 'on' : 'off'} already`);
  }
  if (name !== 'on') await switchOff(node);
  if (name !== 'off') await bootNode(node);
  return 0;
}

function expectCluster(): void {
  if (existsSync(stateFolder)) return;
  throw new ClusterError('no cluster is there: npm run cluster -- up starts one');
}

function say(line: string): void {
  process.stdout.write(`cluster: ${line}\n`);
}
