import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { writeDiagnosis } from '../../../agent/cluster/diagnosis-report.js';
import { useFolder } from '../../resources/folder.js';
import { readDiagnosis } from './read-diagnosis.js';
import { diagnose } from '../../../agent/diagnosis/diagnose.js';
import type { DiagnosisInput } from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { scenario } from '../diagnosis/scenarios/scenario.js';
import { readReport } from './read-report.js';
import { replay, replayReport } from './replay-main.js';

const fixtures = join(import.meta.dirname, '../../fixtures/reports');

interface Recorded {
  /** The faults when the report was recorded: the agent may say nothing else. */
  readonly faults: readonly Partial<Finding>[];
  /** The faults had lasted long enough: the agent must say all of them. */
  readonly isSettled?: true;
}

const recorded: Readonly<Record<string, Recorded>> = {
  'agent-frozen.json.gz': {
    faults: [{ kind: 'agent-down', node: 'default/node2' }],
    isSettled: true,
  },
  // Other agents were kept from running. One was left, and "HTTP works" of n11 was said too early.
  'unplugged-one-witness.json.gz': {
    faults: [
      { kind: 'node-down', node: 'lab/n11' },
      { kind: 'endpoint-down', node: 'lab/n12' },
    ],
  },
  // The node IP of n11 was filtered, and the first witness called that a pair.
  'node-ip-cut-one-witness.json.gz': {
    faults: [
      { kind: 'host-plane', node: 'lab/n11' },
      { kind: 'http-filtered', node: 'lab/n7' },
    ],
  },
  // The cable of n10 was in again, and two findings about n10 contradicted each other.
  'plugged-in-again.json.gz': {
    // The kind follows what is left of the fault.
    faults: [{ node: 'lab/n10' }, { kind: 'icmp-filtered', node: 'lab/n1' }],
  },
};

/** Expects the same of a report, also of one with the memory of the run before. */
function expectSameOfReport(seed: number, first: DiagnosisInput): void {
  const later = { ...first, now: first.now + 2000, previous: diagnose(first) };
  for (const input of [first, later]) {
    const { input: read } = readDiagnosis(JSON.parse([...writeDiagnosis(input)].join('')));
    expect(diagnose(read), `seed ${seed}`).toEqual(diagnose(input));
  }
}

/** Agents that are kept from running are no fault of the network. */
const isAboutPaths = ({ kind }: Finding) => kind !== 'observers-missing';
const isOf = (finding: Finding, { kind = finding.kind, node }: Partial<Finding>) =>
  finding.kind === kind && finding.node === node;

describe('recorded reports', () => {
  const names = readdirSync(fixtures);

  it('are all described', () => {
    expect(Object.keys(recorded).sort()).toEqual(names.sort());
  });

  for (const [name, { faults, isSettled }] of Object.entries(recorded)) {
    it(`${name} leads to no finding that is no fault`, () => {
      const report = readReport(join(fixtures, name));
      for (const withMemory of [true, false]) {
        const { findings, text } = replayReport(report, withMemory);
        const told = findings.filter(isAboutPaths);
        const wrong = told.filter((one) => !faults.some((fault) => isOf(one, fault)));
        expect(wrong, text).toEqual([]);
        // One finding a fault: two of them contradict each other.
        expect(told.length, text).toBeLessThanOrEqual(faults.length);
        if (isSettled) expect(told, text).toHaveLength(faults.length);
      }
    });
  }
});

describe('npm run sim -- replay', () => {
  const fixture = join(fixtures, 'agent-frozen.json.gz');
  const folder = useFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  /** Runs the replay. Returns its exit code and what it prints. */
  function run(...argv: readonly string[]): { code: number; text: string } {
    let text = '';
    const output = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
      text += String(part);
      return true;
    });
    try {
      return { code: replay(argv), text };
    } finally {
      output.mockRestore();
    }
  }

  it('finds the same in what an agent writes, also with the memory of its last run', () => {
    for (const seed of [1, 4]) expectSameOfReport(seed, scenario(seed).input);
  });

  it('reads the memory of two groups of nodes that cannot reach each other', () => {
    const { input } = scenario(1, 'group-cuts');
    const types = [...diagnose(input).memory.values()].flatMap(({ causes }) =>
      causes.map(({ type }) => type),
    );
    expect(types).toContain('groups');
    expectSameOfReport(1, input);
  });

  it('says that the findings are the same, and exits 0', () => {
    const plain = file('plain.json', gunzipSync(readFileSync(fixture)).toString());
    const { code, text } = run(fixture, plain);
    expect(code).toBe(0);
    expect(text.match(/the same findings as in the report/g)).toHaveLength(2);
    expect(text.match(/^ {4}agent-down \(.*\) since /gm)).toHaveLength(2);
  });

  it('shows what is in the report alone and what is found now alone, and exits 1', () => {
    const report = JSON.parse(gunzipSync(readFileSync(fixture)).toString()) as {
      diagnosis: { output: { findings: Finding[] } };
    };
    const { output } = report.diagnosis;
    output.findings = output.findings.map((finding) => ({
      ...finding,
      id: 'node-down:default/node2',
      kind: 'node-down',
      text: 'dead \u001b[2J',
    }));
    const { code, text } = run(fixture, file('other.json', JSON.stringify(report)));
    expect(code).toBe(1);
    expect(text).toContain('other findings than in the report');
    expect(text).toMatch(/^ {2}- node-down \(.*\) since .*: dead \\x1b\[2J$/m);
    expect(text).toMatch(/^ {2}\+ agent-down \(/m);
  });

  it('says in one line why a file is no report', () => {
    const noReport = (name: string, text: string) => () => run(file(name, text));
    expect(noReport('empty', '')).toThrow(/expected a report of meshprobe, got .*JSON/);
    expect(noReport('newer', '{"reportVersion":2}')).toThrow(/got reportVersion: .*1/);
    const head = '"reportVersion":1,"at":"","node":"","versions":{"meshprobe":""}';
    expect(noReport('part', `{${head},"diagnosis":{}}`)).toThrow(/got localName: /);
    expect(noReport('cut.gz', '\u001f\u008b')).toThrow(RangeError);
    expect(() => run(join(folder, 'none'))).toThrow(/got ENOENT/);
    expect(() => run()).toThrow('replay: expected at least one FILE, got none');
  });
});
