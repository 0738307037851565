/** The figures of a server under one client's load. */
export interface Load {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The share of answers that were 304. */
  readonly unchangedShare: number;
  /** Requests without an answer, or with an error as the answer. */
  readonly errors: number;
}

/** Sends the tag of the last answer with each request and counts the 304 answers. */
export const conditionalScript = `
local etag
local threads = {}
seen, unchanged = 0, 0
function setup(thread) table.insert(threads, thread) end
function request()
  if etag then wrk.headers["If-None-Match"] = etag end
  return wrk.format("GET")
end
function response(status, headers)
  seen = seen + 1
  if status == 304 then unchanged = unchanged + 1 end
  etag = headers["etag"] or headers["ETag"] or etag
end
function done()
  local all, same = 0, 0
  for _, thread in ipairs(threads) do
    all, same = all + thread:get("seen"), same + thread:get("unchanged")
  end
  io.write(string.format("unchanged %d of %d\\n", same, all))
end
`;

const unitMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/**
 * Reads what `wrk --latency` prints.
 * @throws Error if the text is not such output
 */
export function readWrk(output: string): Load {
  const socketErrors = /^\s*Socket errors: (.*)$/m.exec(output)?.[1] ?? '';
  const badAnswers = /^\s*Non-2xx or 3xx responses: (\d+)$/m.exec(output)?.[1] ?? '0';
  const errors = [...socketErrors.matchAll(/\d+/g), [badAnswers]].map(([digits]) => Number(digits));
  const latency = (percentage: number): number => {
    const [, number, unit = ''] =
      new RegExp(`^\\s+${percentage}%\\s+([\\d.]+)(us|ms|s|m)$`, 'm').exec(output) ?? [];
    return Number(number ?? NaN) * (unitMs[unit] ?? NaN);
  };
  const perSecond = Number(/^Requests\/sec:\s+([\d.]+)$/m.exec(output)?.[1] ?? NaN);
  if (Number.isNaN(perSecond)) throw new Error(`expected the output of wrk, got ${output}`);
  const [, same = '0', all = '1'] = /^unchanged (\d+) of (\d+)$/m.exec(output) ?? [];
  return {
    perSecond,
    medianMs: latency(50),
    p99Ms: latency(99),
    unchangedShare: Number(same) / Math.max(Number(all), 1),
    errors: errors.reduce((sum, number) => sum + number, 0),
  };
}
