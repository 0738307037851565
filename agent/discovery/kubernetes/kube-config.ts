// A module of its own: of a package that is imported dynamically the bundler has to keep everything.
export { KubeConfig } from '@kubernetes/client-node';
