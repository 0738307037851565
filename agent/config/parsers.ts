import * as z from 'zod';
import { formatDurationNs, parseDurationMs } from '../../api/duration.js';
import { maxSocketPathBytes } from '../../api/socket-path-length.js';
import { readLabelSelector } from '../discovery/kubernetes/label-selector.js';
import { maxTargets } from '../model/target.js';
import { ConfigError } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';
import { labelNameForm, mostGroupLabels } from '../model/node-labels.js';
import { isName } from '../model/node-name.js';
import { parseTargets } from '../targets/definition/parse-targets.js';
import { listenAddressForm, parseListenAddress } from './listen-address.js';
import {
  listenAddressesForm,
  readAddresses,
  readAddressRanges,
  mostNamespaces,
  readGroupLabels,
  readHostNames,
  readNamespaces,
  readOrigins,
  readWholeNumber,
} from './read-values.js';
import { itemPatterns, settingForms, type SettingForm } from './setting-form.js';

/**
 * Makes a setting's schema from a reader. The input is text (a flag, a variable) or a YAML scalar.
 * If the reader returns undefined, the user is told what was expected.
 * @param form the same in data, see {@link formOf}
 */
function reader<T>(expected: string, form: SettingForm, read: (raw: unknown) => T | undefined) {
  const schema = z.unknown().transform((raw, context): T => {
    const value = read(raw);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `expected ${expected}, got ${formatValue(raw)}` });
    return z.NEVER;
  });
  return schema.meta({ form: { expected, ...form } });
}

/** The form of a setting, and what it says in words that it expects. */
export function formOf(schema: z.ZodType): SettingForm & { readonly expected: string } {
  return schema.meta()?.['form'] as ReturnType<typeof formOf>;
}

/** Milliseconds from `500ms`, `10s` or `1m30s`, within bounds. */
export function duration(minMs: number, maxMs: number) {
  const [low, high] = [formatDurationNs(minMs * 1e6), formatDurationNs(maxMs * 1e6)];
  return reader(
    `a duration such as 500ms, 10s or 1m30s, from ${low} to ${high}`,
    settingForms.duration(minMs, maxMs),
    (raw) => {
      const ms = typeof raw === 'string' ? parseDurationMs(raw) : undefined;
      return ms !== undefined && ms >= minMs && ms <= maxMs ? ms : undefined;
    },
  );
}

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number) {
  return reader(`a whole number from ${min} to ${max}`, settingForms.wholeNumber(min, max), (raw) =>
    readWholeNumber(raw, min, max),
  );
}

/** A whole number within bounds, or -1, which is `off`. */
export function wholeNumberOrOff(min: number, max: number) {
  return reader(
    `-1 or a whole number from ${min} to ${max}`,
    settingForms.wholeNumberOrOff(min, max),
    (raw) => (raw === -1 || raw === '-1' ? 'off' : readWholeNumber(raw, min, max)),
  );
}

/** `true` or `false`. */
export function yesOrNo() {
  return reader('true or false', settingForms.yesOrNo, (raw) => {
    if (raw === true || raw === 'true') return true;
    return raw === false || raw === 'false' ? false : undefined;
  });
}

/** One of a few words. */
export function oneOf<const T extends string>(...words: readonly T[]) {
  return reader(words.join(' or '), settingForms.oneOf(words), (raw) =>
    words.find((word) => word === raw),
  );
}

/** Text that is not empty and fits a pattern. */
export function text(expected: string, pattern?: RegExp) {
  const fits = pattern ?? /^[^\0]+$/;
  return reader(expected, settingForms.text(pattern?.source), (raw) =>
    typeof raw === 'string' && fits.test(raw) ? raw : undefined,
  );
}

/** The path of a unix socket. The kernel takes no longer one. */
export function socketPath() {
  return reader(
    `the path of a unix socket, at most ${maxSocketPathBytes} bytes`,
    settingForms.socketPath,
    (raw) =>
      typeof raw === 'string' &&
      /^[^\0]+$/.test(raw) &&
      Buffer.byteLength(raw) <= maxSocketPathBytes
        ? raw
        : undefined,
  );
}

/** A group of this host by name or number (a YAML number too). */
export function group() {
  return reader('a group name, or a number below 4294967295', settingForms.group, (raw) => {
    const name = typeof raw === 'number' ? String(raw) : raw;
    if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(name)) return undefined;
    return /^\d+$/.test(name) && Number(name) >= 0xffff_ffff ? undefined : name;
  });
}

/** IP literals, from a YAML list or a text with commas. */
export function addresses() {
  return reader(listenAddressesForm, settingForms.list(itemPatterns.address), readAddresses);
}

/** IP addresses and networks in CIDR notation, from a YAML list or a text with commas. */
export function addressRanges() {
  return reader(
    'one or more IP addresses or networks such as 10.0.0.9 or 10.0.0.0/28',
    settingForms.list(itemPatterns.addressRange),
    readAddressRanges,
  );
}

/** Host names without a port, from a YAML list or a text with commas. */
export function hostNames() {
  return reader(
    'one or more host names such as node1.example.com, without a port',
    settingForms.list(itemPatterns.hostName),
    readHostNames,
  );
}

/** Exact web origins, from a YAML list or a text with commas. */
export function origins() {
  return reader(
    'one or more origins such as https://grafana.example.com:3000, without a path or a default port',
    settingForms.list(itemPatterns.origin),
    readOrigins,
  );
}

/** `host:port`, `[v6]:port`, or a port alone, which then means loopback. */
export function listenAddress() {
  return reader(`${listenAddressForm} (then on 127.0.0.1)`, settingForms.any, parseListenAddress);
}

/** The same, or `off`. */
export function listenAddressOrOff() {
  return reader(`off, ${listenAddressForm} (then on 127.0.0.1)`, settingForms.any, (raw) =>
    raw === 'off' ? raw : parseListenAddress(raw),
  );
}

/** A label selector as kubectl takes it. */
export function labelSelector() {
  return reader('a label selector such as a=b,c in (d,e)', settingForms.text(), (raw) =>
    typeof raw === 'string' && readLabelSelector(raw) ? raw : undefined,
  );
}

/** Names of labels by which nodes are grouped, from a YAML list or a text with commas. */
export function groupLabels() {
  return reader(
    `1 to ${mostGroupLabels} names of labels such as topology.kubernetes.io/zone or kernel, each of ${labelNameForm}`,
    settingForms.list(itemPatterns.label),
    readGroupLabels,
  );
}

/** Names of namespaces, from a YAML list or a text with commas. */
export function namespaces() {
  return reader(
    `1 to ${mostNamespaces} names of namespaces such as kube-system`,
    settingForms.list(itemPatterns.namespace),
    readNamespaces,
  );
}

/** A cluster and the kubeconfig that leads to it. */
export interface ClusterFile {
  readonly name: string;
  readonly kubeconfig: string;
}

/** `name=kubeconfig`, from a YAML list or a text with commas; each name once. */
export function clusterFiles() {
  return reader(
    'NAME=KUBECONFIG with a different name each',
    settingForms.list(itemPatterns.clusterFile),
    (raw) => {
      const items: unknown[] =
        typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : [];
      const clusters = items.map((item): ClusterFile | undefined => {
        const match = typeof item === 'string' && /^([^=]+)=([^\0]+)$/.exec(item.trim());
        const [, name = '', kubeconfig = ''] = match || [];
        return isName(name) ? { name, kubeconfig } : undefined;
      });
      const names = new Set(clusters.map((cluster) => cluster?.name));
      const isGood = clusters.length > 0 && names.size === clusters.length;
      return isGood && clusters.every((cluster) => cluster !== undefined) ? clusters : undefined;
    },
  );
}

/** Which targets are built in: `none`, or `auto`; or a YAML list of targets. */
export function targets() {
  const expected = 'none or auto, or a list of targets in the configuration file';
  const schema = z.unknown().transform((raw, context) => {
    if (raw === 'none' || raw === 'auto') return raw;
    try {
      if (Array.isArray(raw)) return parseTargets({ at: '', value: raw });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // `[3].http.url: expected ...`: where in the list, and what.
      const [, place = '', message] = /^([^:]*): (.*)$/s.exec(error.message) ?? [];
      context.addIssue({ code: 'custom', path: [place], message: message ?? error.message });
      return z.NEVER;
    }
    context.addIssue({ code: 'custom', message: `expected ${expected}, got ${formatValue(raw)}` });
    return z.NEVER;
  });
  const form = settingForms.wordOrMappings(['none', 'auto'], maxTargets);
  return schema.meta({ form: { expected, ...form } });
}
