import { mappingOf, textOf } from '../discovery/object-fields.js';
import type { HostChange } from '../model/row-host.js';

/** Which change a pod of a program is about, and what the program is called. */
export interface NetworkProgram {
  readonly change: Extract<HostChange, 'cni-pod' | 'kube-proxy-pod'>;
  readonly name: string;
}

type Entry = readonly [label: string, value: string, name: string];

const kubeProxies: readonly Entry[] = [
  // kubeadm (cmd/kubeadm/app/phases/addons/proxy/manifests.go) and Amazon EKS.
  ['k8s-app', 'kube-proxy', 'kube-proxy'],
  // cluster/gce/manifests/kube-proxy.manifest of Kubernetes, Azure AKS, RKE2.
  ['component', 'kube-proxy', 'kube-proxy'],
];

/** The labels of what runs on every node for its pod network, from the manifests of each project. */
const cniPlugins: readonly Entry[] = [
  // cilium/cilium, install/kubernetes/cilium: templates/cilium-agent/daemonset.yaml
  ['k8s-app', 'cilium', 'cilium'],
  // projectcalico/calico, manifests/calico.yaml and canal.yaml; the operator's DaemonSet has the same
  ['k8s-app', 'calico-node', 'calico-node'],
  ['k8s-app', 'canal', 'canal'],
  // flannel-io/flannel, Documentation/kube-flannel.yml; before 0.21 it had `app` alone
  ['k8s-app', 'flannel', 'flannel'],
  ['app', 'flannel', 'flannel'],
  // cloudnativelabs/kube-router, daemonset/
  ['k8s-app', 'kube-router', 'kube-router'],
  // aws/amazon-vpc-cni-k8s, config/master/aws-k8s-cni.yaml
  ['k8s-app', 'aws-node', 'aws-node'],
  // antrea-io/antrea, build/yamls/antrea.yml
  ['component', 'antrea-agent', 'antrea-agent'],
  // ovn-kubernetes/ovn-kubernetes, dist/templates; the DaemonSet of OpenShift has the same
  ['app', 'ovnkube-node', 'ovnkube-node'],
  // kubeovn/kube-ovn, dist/images/install.sh
  ['app', 'kube-ovn-cni', 'kube-ovn-cni'],
  // kubernetes-sigs/kind, images/base/files/kind/manifests/default-cni.yaml
  ['app', 'kindnet', 'kindnet'],
  // weaveworks/weave, prog/weave-kube/weave-daemonset-k8s-1.11.yaml
  ['name', 'weave-net', 'weave-net'],
];

const programs: readonly (NetworkProgram & { readonly label: string; readonly value: string })[] = [
  ...kubeProxies.map(([label, value, name]) => ({
    change: 'kube-proxy-pod' as const,
    label,
    value,
    name,
  })),
  ...cniPlugins.map(([label, value, name]) => ({
    change: 'cni-pod' as const,
    label,
    value,
    name,
  })),
];

/** The program that a pod with these labels is of; undefined for pods that are none of kube-proxy and network plugins. */
export function networkProgramOf(labels: unknown): NetworkProgram | undefined {
  const of = mappingOf(labels);
  const found = programs.find(
    ({ label, value }) => Object.hasOwn(of, label) && textOf(of[label]) === value,
  );
  return found && { change: found.change, name: found.name };
}
