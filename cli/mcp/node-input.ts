import * as z from 'zod';
import { maxNameLength } from '../../api/schema/v1/name-length.js';

/** The name of a node, as a tool takes it. */
export const nodeInput = z
  .string()
  .min(1)
  .max(maxNameLength)
  .describe('The node, as NAME or CLUSTER/NAME');

/** The name of a zone. */
export const zoneInput = z.string().max(maxNameLength);
