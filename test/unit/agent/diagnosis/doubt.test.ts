import { describe, expect, it } from 'vitest';
import { diagnoseSteps } from '../../../../agent/diagnosis/diagnose.js';
import {
  clusterOf,
  found,
  idsOf,
  makeNodes,
  n,
  namesOf,
  numberOf,
  rowsOf,
  starvedRow,
  watching,
  type PathOf,
  type Saying,
} from './cluster.js';
import { failing, isAt, isBetween, isFrom, isOn, isTo } from './paths.js';

const stale = { ageMs: 40_000, freshness: 'stale' } as const;

describe('an observer that cannot be believed', () => {
  it('accuses nobody if it is starved', () => {
    const output = found(8, { says: failing(isFrom(n(5))), rows: { [n(5)]: starvedRow } });
    expect(output.findings).toEqual([]);
  });

  it('makes a finding about itself if it is the own, starved agent', () => {
    const { findings } = found(8, {
      says: failing(isFrom(n(1))),
      rows: { [n(1)]: starvedRow },
    });
    expect(findings).toMatchObject([{ kind: 'observers-missing', node: n(1), local: true }]);
  });

  it('is no witness by a protocol that its host does not send', () => {
    const { findings } = found(8, {
      says: failing(isFrom(n(5), 'icmp')),
      rows: { [n(5)]: { row: { health: { ready: true, starved: false, notSending: ['icmp'] } } } },
    });
    expect(findings).toEqual([]);
  });

  it('is not counted among those that reach a node if it does not know whether it does', () => {
    const says = (path: PathOf): Saying => {
      if (!isTo(n(7), 'http')(path)) return undefined;
      return path.from === n(5) ? 'unknown' : 'unreachable';
    };
    const { findings } = found(8, { says, without: [n(7)] });
    expect(findings).toMatchObject([{ node: n(7), seenBy: { failing: 6, of: 6 } }]);
  });

  it('is not counted among those that see no losses at a node if it does not reach it', () => {
    const says = (path: PathOf): Saying => {
      if (path.from === n(5) && isTo(n(7))(path)) return 'unreachable';
      return isAt(n(7))(path) ? 'lossy' : undefined;
    };
    const { findings } = found(20, { says });
    expect(findings).toContainEqual(
      expect.objectContaining({ id: `lossy:${n(7)}`, seenBy: { failing: 19, of: 19 } }),
    );
  });

  it('makes a finding only about itself if it says that half of the others fail', () => {
    const { findings } = found(20, {
      says: failing(({ from, to }) => from === n(5) && numberOf(to) % 2 === 0),
    });
    expect(findings).toMatchObject([{ node: n(5), direction: 'outbound' }]);
  });

  it('does not hide a fault that the others see', () => {
    const { findings } = found(8, {
      says: failing((path) => path.from !== n(5) && isTo(n(7))(path)),
      without: [n(7)],
    });
    expect(findings).toMatchObject([{ id: 'node:c/n7', seenBy: { failing: 6, of: 7 } }]);
  });

  it('does not count with its stale row, neither as failing nor as well', () => {
    const old = { ...stale, ageMs: 60_000 };
    const bad = found(8, { says: failing(isFrom(n(5))), rows: { [n(5)]: old } });
    expect(bad.findings.map(({ kind }) => kind)).toEqual(['observers-missing']);
    const well = found(8, { says: failing(isTo(n(7))), rows: { [n(7)]: old } });
    expect(well.findings).toMatchObject([{ id: 'node:c/n7', seenBy: { failing: 7, of: 7 } }]);
  });
});

describe('what the diagnosis ignores', () => {
  it('includes nodes that are not active', () => {
    const nodes = makeNodes(10).map((node, at) =>
      at >= 8 ? { ...node, phase: 'excluded' as const } : node,
    );
    const input = clusterOf(10, { nodes });
    expect(found(10, { nodes, input }).findings).toEqual([]);
    // A row may still report nodes that are not active.
    const late = clusterOf(10, { says: failing(isTo(n(9))), input: {} });
    expect(found(10, { nodes, input: { rows: late.rows } }).findings).toEqual([]);
  });

  it('does not include the only observer of a node', () => {
    const { findings } = found(8, { says: failing(isTo(n(7))), without: namesOf(8).slice(1) });
    expect(findings).toMatchObject([{ id: 'node:c/n7', seenBy: { failing: 1, of: 1 } }]);
  });

  it('includes unknown paths', () => {
    const says = ({ to }: PathOf) => (to === n(7) ? 'unknown' : undefined);
    expect(found(8, { says }).findings).toEqual([]);
  });

  it('includes nodes that a row leaves out', () => {
    const input = clusterOf(8, { says: failing(isTo(n(7))), without: [n(7)] });
    const rows = [...input.rows].map((observed) =>
      observed.row.observer === n(3)
        ? { ...observed, row: { ...observed.row, paths: [], omittedNodes: 1 } }
        : observed,
    );
    const { findings } = found(8, { input: { rows } });
    expect(findings).toMatchObject([{ id: 'node:c/n7', seenBy: { failing: 6, of: 6 } }]);
  });
});

describe('a missing observer', () => {
  it('is reported if its host answers and its row is stale', () => {
    expect(found(8, { rows: { [n(4)]: stale } }).findings).toMatchObject([
      {
        id: 'observers-missing',
        severity: 'degraded',
        node: n(4),
        since: '2026-11-21T11:59:31.000Z',
        text: 'the agent of c/n4 no longer tells what it sees, though its host answers',
      },
    ]);
  });

  it('may not be who answers, where its port answers without a row that came before', () => {
    const input = { plainForMs: new Map([[n(4), 60_000]]) };
    expect(found(8, { rows: { [n(4)]: stale }, input }).findings).toMatchObject([
      {
        id: 'observers-missing',
        text: 'the agent of c/n4 no longer tells what it sees; what answers at its port tells nothing, as another program, another host with that address or an agent that refuses this one would',
        evidence: [{ to: n(4), failure: 'it answers without a row' }],
      },
    ]);
  });

  it('is reported after a while if its row never came', () => {
    const without = [n(4), n(5)];
    const silent = (ms: number) =>
      found(8, { without, input: { silentMs: new Map(without.map((name) => [name, ms])) } });
    expect(silent(20_000).findings).toEqual([]);
    expect(silent(60_000).findings).toMatchObject([
      {
        kind: 'observers-missing',
        text: '2 agents (c/n4, c/n5) never told what they see, though their hosts answer',
      },
    ]);
  });

  it('is reported no sooner after a restart: who has no node list yet answers without a row', () => {
    const plain = (ms: number) => ({ plainForMs: new Map([[n(4), ms]]) });
    const silentMs = new Map([[n(4), 600_000]]);
    const never = (ms: number) =>
      found(8, { without: [n(4)], input: { silentMs, ...plain(ms) } }).findings;
    expect(never(20_000)).toEqual([]);
    expect(never(60_000)).toMatchObject([{ node: n(4), since: '2026-11-21T11:59:41.000Z' }]);
    const rows = { [n(4)]: { ...stale, ageMs: 600_000 } };
    const noMore = (ms: number) => found(8, { rows, input: plain(ms) }).findings;
    expect(noMore(3000)).toEqual([]);
    expect(noMore(30_000)).toMatchObject([{ node: n(4), since: '2026-11-21T11:59:30.000Z' }]);
  });

  it('is not reported of a node without a host address, of which nobody knows whether its host answers', () => {
    const nodes = makeNodes(8).map((node) => (node.name === n(4) ? { ...node, host: [] } : node));
    const input = { silentMs: new Map([[n(4), 60_000]]) };
    expect(found(8, { nodes, without: [n(4)], input }).findings).toEqual([]);
  });

  it('has not come and gone where the agents of other nodes were missing before', () => {
    const look = watching(8);
    const textAfter = (atS: number, missing: string) => {
      look(atS, { rows: { [missing]: stale } });
      const [finding] = look(atS + 5, { rows: { [missing]: stale } }).findings;
      expect(look(atS + 10).findings).toEqual([]);
      return finding?.text;
    };
    const text = (name: string) =>
      `the agent of ${name} no longer tells what it sees, though its host answers`;
    for (const number of [4, 5, 6, 7]) {
      expect(textAfter(20 * number, n(number))).toBe(text(n(number)));
    }
    // Of one node they count.
    textAfter(160, n(7));
    look(180, { rows: { [n(7)]: stale } });
    const [finding] = look(185, { rows: { [n(7)]: stale } }).findings;
    expect(finding?.text).toMatch(/; it has come and gone 3 times in the last minute$/);
  });

  it('is not reported if another finding explains it', () => {
    const output = found(8, { says: failing(isTo(n(7))), rows: { [n(7)]: stale } });
    expect(idsOf(output)).toEqual(['node:c/n7']);
  });

  it('waits where its agent was down until now: it answers before it tells a row', () => {
    const look = watching(8);
    const rows = { [n(7)]: stale };
    const down = { rows, says: failing(isTo(n(7), 'host', 'http')) };
    look(0, down);
    expect(idsOf(look(10, down))).toEqual(['agent:c/n7']);
    const answeringSince = (backS: number, atS: number) => {
      const plainForMs = new Map([[n(7), 1000 * (atS - backS)]]);
      return idsOf(look(atS, { rows, input: { plainForMs } }));
    };
    for (const atS of [11, 12, 14])
      expect(answeringSince(11, atS)).not.toContain('observers-missing');
    for (const atS of [20, 25]) answeringSince(11, atS);
    expect(answeringSince(11, 30)).toEqual(['observers-missing']);
  });
});

describe('a server that is restarted', () => {
  const restarting = (ageSeconds: number) =>
    found(8, {
      says: failing(isTo(n(7), 'host', 'http'), { failure: 'refused', ageSeconds }),
      rows: rowsOf(namesOf(8), { ageMs: 0 }),
      without: [n(7)],
      input: { heardMsAgo: new Map([[n(7), ageSeconds * 1000 + 500]]) },
    });

  it('makes no finding in the time that a restart takes', () => {
    expect(restarting(4).findings).toEqual([]);
  });

  it('makes a finding if it stays away', () => {
    expect(restarting(8).findings).toMatchObject([{ id: 'agent:c/n7' }]);
  });
});

describe('names from outside', () => {
  it('are left out of commands if a shell would read more than a name', () => {
    const nodes = makeNodes(8).map((node, at) =>
      at === 6 ? { ...node, name: 'c/$(reboot)', host: ['10.0.0.7'] } : node,
    );
    const { findings } = found(8, {
      nodes,
      says: failing(isTo('c/$(reboot)')),
      without: ['c/$(reboot)'],
    });
    expect(findings).toMatchObject([{ kind: 'node-down', node: 'c/$(reboot)' }]);
    expect(findings[0]?.next).toEqual(['ping -c 3 10.0.0.7', 'ping -c 3 10.244.0.7']);
  });

  it('put brackets of IPv6 addresses into quotes', () => {
    const nodes = makeNodes(8).map((node, at) => ({ ...node, host: [`fd00::${at + 1}`] }));
    const { findings } = found(8, {
      nodes,
      says: failing(isTo(n(7), 'host', 'http')),
      without: [n(7)],
    });
    expect(findings[0]?.next).toContain("curl -m 2 'http://[fd00::7]:4240/hello'");
  });
});

describe('many findings', () => {
  const foundWith = (nodes: number) =>
    found(200, {
      says: failing(({ to, plane }) => numberOf(to) > 200 - nodes && plane === 'endpoint'),
    });

  it('of one kind are one finding with their number and some names', () => {
    const { findings, unexplained } = foundWith(70);
    expect(findings).toMatchObject([
      {
        id: 'endpoint-plane:many',
        kind: 'endpoint-plane',
        count: 70,
        explains: 70 * 2 * 199,
        text: '70 of 200 nodes do not answer at their endpoint (c/n131, c/n132, c/n133, ...)',
      },
    ]);
    expect(findings[0]?.examples).toHaveLength(16);
    expect(unexplained).toBe(0);
  });

  it('are findings of their own while they are few', () => {
    expect(foundWith(16).findings).toHaveLength(16);
  });
});

describe('one end of a cut pair, which gets no row of the other end', () => {
  const heardSecondsAgo = (seconds: number | undefined) =>
    found(6, {
      says: failing(isBetween(n(1), n(4)), { ageSeconds: 8 }),
      rows: { [n(4)]: { ...stale, ageMs: 12_000 } },
      input: { heardMsAgo: new Map(seconds === undefined ? [] : [[n(4), 1000 * seconds]]) },
    }).findings;

  it('finds the pair if the other end was heard until the cut, and not since', () => {
    expect(heardSecondsAgo(11)).toMatchObject([
      { id: 'pair:c/n1,c/n4', direction: 'both', explains: 4, seenBy: { failing: 1, of: 1 } },
    ]);
  });

  it('waits while only its own row says so and the other end is still heard', () => {
    expect(heardSecondsAgo(1)).toEqual([]);
  });

  it('waits if the other end was silent long before or was never heard', () => {
    expect(heardSecondsAgo(600)).toEqual([]);
    expect(heardSecondsAgo(undefined)).toEqual([]);
  });
});

describe('an agent that no other one talks to', () => {
  const others = namesOf(6).slice(1);
  const own = { kind: 'observers-missing', node: n(1), local: true };
  const refused = failing(isFrom(n(1), 'http'), { failure: 'refused' });

  it('finds nothing where all refused the probe port since it started, and none was ever heard', () => {
    const since = failing(isFrom(n(1), 'http'), { failure: 'refused', ageSeconds: 3597 });
    const output = found(6, { says: since, without: others });
    expect(output).toMatchObject({ findings: [], unexplained: 0 });
  });

  it('finds the only other one where it had answered after the start: nobody is heard without the mesh', () => {
    const { findings } = found(2, { says: refused, without: [n(2)] });
    expect(findings).toMatchObject([{ kind: 'agent-down', node: n(2) }]);
  });

  it('finds each of the others where they were heard before: a refusal is no fault of its own', () => {
    const heardMsAgo = new Map(others.map((name) => [name, 300_000]));
    const { findings } = found(6, { says: refused, without: others, input: { heardMsAgo } });
    expect(findings.map(({ node }) => node).sort()).toEqual(others);
  });

  it('names itself where their hosts answer and none sends a row', () => {
    const silentMs = new Map(others.map((name) => [name, 120_000]));
    const { findings } = found(6, { without: others, input: { silentMs } });
    expect(findings).toMatchObject([own]);
  });

  it('names itself where only one other is there, and where it misses more rows than it gets', () => {
    const silent = (size: number, ...names: string[]) => {
      const silentMs = new Map(names.map((name) => [name, 120_000]));
      return found(size, { without: names, input: { silentMs } }).findings;
    };
    const [alone] = silent(2, n(2));
    expect(alone).toMatchObject({
      ...own,
      text: 'c/n1 gets no row of the agent of c/n2, though its host answers it: it may have another mesh key (--mesh-key-file) or --mesh off, or not know the address that its packets come from (--mesh-source there, or one more host address of this node in the node list)',
    });
    expect(alone?.next.join()).not.toContain('curl');
    const input = {
      silentMs: new Map([[n(2), 120_000]]),
      plainForMs: new Map([[n(2), 120_000]]),
    };
    expect(found(2, { without: [n(2)], input }).findings[0]?.text).toBe(
      `${alone?.text}, or something else answers at its port 4240, such as a proxy`,
    );
    const [most] = silent(6, n(2), n(3), n(4));
    expect(most).toMatchObject({
      ...own,
      text: 'c/n1 gets no row of 3 of 5 other agents, though their hosts answer it: they may have another mesh key (--mesh-key-file) or --mesh off, or not know the address that its packets come from (--mesh-source there, or one more host address of this node in the node list)',
    });
    expect(silent(5, n(2), n(3))).toMatchObject([{ id: 'observers-missing' }]);
  });

  it('looks at thousands of silent nodes step by step', () => {
    const silent = Array.from({ length: 20_000 }, (_, node): [string, number] => [`c/${node}`, 0]);
    const stepsWith = (silentMs: Map<string, number>): number =>
      [...diagnoseSteps(clusterOf(6, { input: { silentMs } }))].length;
    expect(stepsWith(new Map(silent)) - stepsWith(new Map())).toBeGreaterThanOrEqual(20);
  });
});

describe('an agent that started a moment ago', () => {
  const accused = (uptimeMs: number) =>
    found(6, {
      says: failing(isTo(n(1), 'host', 'http'), { ageSeconds: 20 }),
      input: { uptimeMs },
    }).findings;

  it('is not broken by rows that say it failed before it started', () => {
    expect(accused(3000)).toEqual([]);
    expect(accused(60_000)).toMatchObject([{ node: n(1), local: true }]);
  });
});

describe('an agent whose node is not listed', () => {
  const findingOf = (input: { readonly localName: string; readonly namespace?: undefined }) => {
    const look = watching(6);
    expect(look(0, { input }).findings).toEqual([]);
    const { findings } = look(6, { input });
    expect(findings).toMatchObject([{ kind: 'not-listed', severity: 'degraded', local: true }]);
    return findings[0];
  };

  it('says so, and names the nearest name', () => {
    const finding = findingOf({ localName: 'c/n1.example.com' });
    expect(finding?.text).toContain('the nearest name there is c/n1 (--node-name), so');
    expect(finding?.next).toEqual(['kubectl get nodes -o wide', 'hostname', 'hostname --fqdn']);
  });

  it('names the setting of the cluster where only that differs', () => {
    const finding = findingOf({ localName: 'west/n1', namespace: undefined });
    expect(finding?.text).toContain('the nearest name there is c/n1 (--cluster-name), so');
    expect(finding?.next).toEqual(['hostname', 'hostname --fqdn']);
  });
});

describe('ICMP that is dropped everywhere', () => {
  it('hides no dead node, but nobody knows whether more than its servers is down', () => {
    const says = failing((path) => isTo(n(7))(path) || isOn('icmp')(path));
    const { findings } = found(8, { says, without: [n(7)] });
    expect(findings).toMatchObject([
      { kind: 'icmp-filtered', id: 'icmp-filtered:all' },
      {
        kind: 'agent-down',
        id: 'node:c/n7',
        node: n(7),
        protocols: ['http'],
        text: 'none of 7 nodes can reach the agent of c/n7 (10.0.0.7:4240) or the server at its endpoint, and nothing has been heard from it since; ping fails too, but not to this node alone',
      },
    ]);
  });

  it('leaves a cut endpoint a cut endpoint', () => {
    const says = failing((path) => isOn('icmp')(path) || isAt(n(7), 'endpoint')(path));
    expect(idsOf(found(8, { says }))).toEqual(['icmp-filtered:all', 'endpoint-plane:c/n7']);
  });
});

describe('a node that one observer alone has seen fail so far', () => {
  it('is not called broken before the rows of the others can have come', () => {
    const { findings } = found(6, {
      says: failing(({ from, to }) => from === n(1) && to === n(4), { ageSeconds: 6 }),
      without: [n(4)],
      rows: rowsOf([n(2), n(3), n(5), n(6)], { ageMs: 4000 }),
    });
    expect(findings).toEqual([]);
  });
});
