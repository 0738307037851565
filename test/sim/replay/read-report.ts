import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { readDiagnosis, type RecordedDiagnosis } from './read-diagnosis.js';
import { reportVersion } from '../../../api/schema/v1/report.js';

/** What a replay needs of a report. */
export interface ReadReport extends RecordedDiagnosis {
  readonly node: string;
  /** RFC 3339. */
  readonly at: string;
  /** The version of the agent. */
  readonly version: string;
}

/** The part of a report that this program reads. The rest may be of any version. */
const headSchema = z.looseObject({
  reportVersion: z.literal(reportVersion),
  at: z.string(),
  node: z.string(),
  versions: z.looseObject({ meshprobe: z.string() }),
  diagnosis: z.unknown(),
});

/** A report of the largest outage is smaller. */
const maxBytes = 512 * 1024 * 1024;

/**
 * Reads a report that `meshprobe report` wrote, compressed or not.
 * @throws RangeError that names the file, what was expected and what was got
 */
export function readReport(path: string): ReadReport {
  try {
    const { at, node, versions, diagnosis } = headSchema.parse(JSON.parse(readText(path)));
    return { at, node, version: versions.meshprobe, ...readDiagnosis(diagnosis) };
  } catch (error) {
    const got = describe(error);
    throw new RangeError(`${path}: expected a report of meshprobe, got ${got}`, { cause: error });
  }
}

function readText(path: string): string {
  const bytes = readFileSync(path);
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isCompressed ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes).toString();
}

function describe(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
  }
  return error instanceof Error ? error.message : String(error);
}
