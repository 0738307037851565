import * as z from 'zod';
import { countSchema, nodeNameSchema, planeSchema, timeSchema } from './fields.js';
import { hostChanges } from './host-changes.js';
import { hostSigns } from './host-signs.js';

export const hostSignNameSchema = z.string().meta({
  id: 'HostSignName',
  description: `One of ${hostSigns.join(', ')}; a reader treats any other as \`other\``,
  examples: [...hostSigns],
});

const sign = {
  sign: hostSignNameSchema,
  text: z.string().describe('The sign in words, with its figures'),
  value: countSchema.describe('The figure when the host told it last'),
  limit: countSchema.describe(
    'What a table holds, of how many the figure is, or from which figure on it is a sign or stays one',
  ),
  since: timeSchema.describe('When it began, as far as its host read it'),
  orBefore: z
    .boolean()
    .optional()
    .describe(
      'True: it was so when the agent of the host read it first, so it began then or before',
    ),
  plane: planeSchema.describe('Whose network it is of: of the host, or of its pods'),
};

export const signSchema = z.looseObject(sign).meta({
  id: 'HostSign',
  description: 'A counter or table of a host that is bad by its rule; it says nothing of causes',
});

const sharedBy = z
  .looseObject({
    nodes: countSchema.describe('How many of its nodes had one like it, as near to its beginning'),
    of: countSchema.describe(
      'How many of its nodes have a row; one with host-signs off counts too',
    ),
  })
  .optional()
  .describe('Of a finding about a group; `node` is the one that had it nearest');

export const findingSignSchema = z
  .looseObject({
    node: nodeNameSchema,
    ...sign,
    lastToldAt: timeSchema
      .optional()
      .describe(
        'When the node told it last, where nothing was heard from it since: it may have ended',
      ),
    sharedBy,
  })
  .meta({
    id: 'FindingSign',
    description: 'A sign of a node at an end of a finding that began at about the same time',
  });

/** What every reader is told of a change. */
export const hostChangeFields = {
  at: timeSchema.describe('When the host found it'),
  withinSeconds: countSchema.describe('It was made at most so many seconds before `at`'),
  change: z.string().meta({
    description: `One of ${hostChanges.join(', ')}; a reader treats any other as \`other\``,
    examples: [...hostChanges],
  }),
  text: z.string().describe('The change in words'),
  from: z.string().describe('What was before; empty where that is not known'),
  to: z.string(),
};

export const changeSchema = z
  .looseObject(hostChangeFields)
  .meta({ id: 'HostChange', description: 'Something that changed on a host' });

export const findingChangeSchema = z
  .looseObject({ node: nodeNameSchema, ...hostChangeFields, sharedBy })
  .meta({
    id: 'FindingChange',
    description: 'A change on a node at an end of a finding, at most five minutes before it began',
  });
