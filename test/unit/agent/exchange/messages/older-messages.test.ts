import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeAnswerBody } from '../../../../../agent/exchange/messages/answer-body.js';
import { MeshKeys } from '../../../../../agent/exchange/messages/mesh-keys.js';
import {
  decodeAnswer,
  decodeRequest,
  type ExchangeAnswer,
  type ExchangeRequest,
} from '../../../../../agent/exchange/messages/message.js';
import type { Row } from '../../../../../agent/model/row.js';
import { encodeRow } from '../../../../../agent/peers/row/row-text.js';
import { decodeRow } from '../lib/rows.js';

/** What an agent of an older commit sent, and what that agent read of it. */
interface Recorded {
  readonly rows: readonly { readonly text: string; readonly row: Row }[];
  readonly request: { readonly header: string; readonly read: ExchangeRequest };
  readonly answer: {
    readonly header: string;
    readonly body: string;
    readonly read: ExchangeAnswer;
  };
}

const folder = join(import.meta.dirname, '../../../../fixtures/messages');
const recorded = JSON.parse(
  gunzipSync(readFileSync(join(folder, '6f79913.json.gz'))).toString(),
) as Recorded;
const keys = new MeshKeys();

describe('messages of an agent of 6f79913', () => {
  test.each(recorded.rows.map((one, at) => [at, one] as const))(
    'row %i is read as that agent read it, and written as it was',
    (_, { text, row }) => {
      expect(decodeRow(row.observer, JSON.parse(text))).toEqual(row);
      // So that agent reads what this one writes.
      expect(JSON.parse(encodeRow(row))).toEqual(JSON.parse(text));
    },
  );

  test('a request is read as that agent read it', () => {
    const { header, read } = recorded.request;
    expect(decodeRequest(header, keys)).toMatchObject(read);
  });

  test('an answer is read as that agent read it, with its row', () => {
    const { header, body, read } = recorded.answer;
    expect(decodeAnswer(header, body, recorded.request.read, keys)).toMatchObject(read);
    const told = decodeAnswerBody(body);
    expect(told?.ageMs).toBe(1234);
    expect(decodeRow('cluster1/a', told?.row)).toEqual(recorded.rows[3]?.row);
  });
});
