import { run } from '../../lab/lib/command.js';
import { join } from 'node:path';
import {
  addressOfControl,
  inControl,
  kubeconfig,
  pkiFolder,
  programsFolder,
  serviceCidr,
  stateFolder,
} from './place.js';
import { startProgram, until } from './spawn.js';

const program = (name: string) => join(programsFolder, name);
const pki = (name: string) => join(pkiFolder, name);

/** Runs kubectl as the administrator, and returns its standard output. */
export async function kubectl(args: readonly string[], input?: string): Promise<string> {
  const [command, ...rest] = inControl([program('kubectl'), `--kubeconfig=${kubeconfig}`, ...args]);
  return run(command, rest, input);
}

/** Starts etcd and the API server, and what makes pods of Deployments and puts them onto nodes. */
export async function startControlPlane(): Promise<void> {
  startProgram(
    'etcd',
    inControl([
      program('etcd'),
      `--data-dir=${join(stateFolder, 'etcd')}`,
      // It need not outlive a crash of the machine.
      '--unsafe-no-fsync',
    ]),
  );
  startApiServer();
  await untilApiServerIsReady();
  startProgram(
    'kube-controller-manager',
    inControl([
      program('kube-controller-manager'),
      `--kubeconfig=${kubeconfig}`,
      `--root-ca-file=${pki('ca.crt')}`,
      `--service-account-private-key-file=${pki('accounts.key')}`,
      '--leader-elect=false',
    ]),
  );
  startProgram(
    'kube-scheduler',
    inControl([program('kube-scheduler'), `--kubeconfig=${kubeconfig}`, '--leader-elect=false']),
  );
}

export function startApiServer(): void {
  startProgram(
    'kube-apiserver',
    inControl([
      program('kube-apiserver'),
      '--etcd-servers=http://127.0.0.1:2379',
      `--advertise-address=${addressOfControl}`,
      `--tls-cert-file=${pki('api.crt')}`,
      `--tls-private-key-file=${pki('api.key')}`,
      `--cert-dir=${pkiFolder}`,
      `--service-account-key-file=${pki('accounts.key')}`,
      `--service-account-signing-key-file=${pki('accounts.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-cluster-ip-range=${serviceCidr}`,
      `--token-auth-file=${pki('tokens.csv')}`,
      '--authorization-mode=Node,RBAC',
      '--allow-privileged=true',
      // The nodes' names are in no DNS.
      '--kubelet-preferred-address-types=InternalIP',
    ]),
  );
}

export async function untilApiServerIsReady(): Promise<void> {
  await until('the API server is ready', 300_000, async () => {
    const answer = await kubectl(['get', '--raw', '/readyz']).catch(() => '');
    return answer === 'ok';
  });
}
