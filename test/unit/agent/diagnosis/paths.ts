import type { Plane } from '../../../../agent/model/path.js';
import type { Protocol } from '../../../../agent/model/sample.js';
import type { PathOf, Saying } from './cluster.js';

/** The plane, the protocol or both that are meant; all of them if nothing is named. */
type On = readonly (Plane | Protocol)[];

export type Which = (path: PathOf) => boolean;

/** The paths on that plane, by that protocol, or both. */
export const isOn =
  (...on: On): Which =>
  ({ plane, protocol }) =>
    on.every((one) => one === plane || one === protocol);

/** The paths to a node. */
export const isTo =
  (node: string, ...on: On): Which =>
  (path) =>
    path.to === node && isOn(...on)(path);

/** The paths from a node. */
export const isFrom =
  (node: string, ...on: On): Which =>
  (path) =>
    path.from === node && isOn(...on)(path);

/** The paths from and to a node. */
export const isAt =
  (node: string, ...on: On): Which =>
  (path) =>
    isFrom(node, ...on)(path) || isTo(node, ...on)(path);

/** The paths between two nodes, both ways. */
export const isBetween =
  (one: string, other: string): Which =>
  (path) =>
    isAt(one)(path) && isAt(other)(path);

/** What all say where these paths fail, for a minute if nothing else is said, and the others work. */
export const failing =
  (which: Which, more: Partial<Exclude<Saying, string>> = {}) =>
  (path: PathOf): Saying =>
    which(path) ? { state: 'unreachable', ...more } : undefined;
