import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { streamEventSchema } from '../../../../../api/schema/v1/events.js';
import { findingsSchema } from '../../../../../api/schema/v1/findings.js';
import { nodeMatrixSchema, zoneMatrixSchema } from '../../../../../api/schema/v1/matrix.js';
import { nodeEntrySchema } from '../../../../../api/schema/v1/nodes.js';
import { matrixQuerySchema } from '../../../../../api/schema/v1/queries.js';
import { summarySchema } from '../../../../../api/schema/v1/summary.js';
import { endpointPlaneFinding, MemoryV1Source, nodeEntry } from '../../../../doubles/v1-source.js';

const source = new MemoryV1Source(['c/n1', 'c/n2']);
source.open = [endpointPlaneFinding()];
const byZone = source.matrix(matrixQuerySchema.parse({}));
const byNode = source.matrix(matrixQuerySchema.parse({ by: 'node' }));
const pathEvent = {
  id: 91,
  at: 't',
  type: 'path',
  node: 'c/n7',
  plane: 'host',
  protocol: 'icmp',
  address: '10.0.0.7',
  previousState: 'reachable',
  state: 'unreachable',
  failure: 'x',
};

const bodies: readonly (readonly [string, z.ZodType, object])[] = [
  ['summary', summarySchema, source.summary()],
  ['findings', findingsSchema, source.findings()],
  ['matrix by zone', zoneMatrixSchema, byZone],
  ['matrix by node', nodeMatrixSchema, byNode],
  ['node', nodeEntrySchema, nodeEntry('c/n1')],
  ['path event', streamEventSchema, pathEvent],
  ['gap event', streamEventSchema, { type: 'gap' }],
];

describe('the schemas of /v1', () => {
  test.each(bodies)('keep all fields of a %s, also those of a newer agent', (_, schema, body) => {
    const newer = { ...body, fieldOfTheFuture: { a: [1] } };
    expect(schema.parse(newer)).toEqual(newer);
  });

  test.each(bodies)('refuse a %s that lacks a field', (_, schema, body) => {
    for (const field of Object.keys(body).filter((name) => !optional.has(name))) {
      const rest = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
      expect([field, schema.safeParse(rest).success]).toEqual([field, false]);
    }
  });

  test('accept a finding of an unknown kind', () => {
    const findings = { ...source.findings(), findings: [endpointPlaneFinding({ kind: 'mtu' })] };
    expect(findingsSchema.parse(findings).findings[0]?.kind).toBe('mtu');
  });
});

const optional = new Set(['groupBy', 'failure']);
