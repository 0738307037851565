// A separate module: the bundler keeps everything of a package that is imported dynamically.
export { KubeConfig } from '@kubernetes/client-node';
