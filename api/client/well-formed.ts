import type {
  protocolPlanSchema,
  lifecycleSchema,
  nodeStatusSchema,
  pathStatusSchema,
  planeStatusSchema,
  planSchema,
  protocolStatusSchema,
  Status,
  statusSchema,
} from '../schema/status.js';

type Check = (value: unknown) => boolean;
/** A check for each field of an object of the schema. */
type ChecksOf<S extends { readonly shape: object }> = Readonly<Record<keyof S['shape'], Check>>;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isWhole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isAmount: Check = (value) => Number.isFinite(value) && (value as number) >= 0;
const isShare: Check = (value) => isAmount(value) && (value as number) <= 1;
const isState: Check = (value) =>
  value === 'reachable' || value === 'unreachable' || value === 'unknown';

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

/**
 * Accepts an object if its known fields pass and its required fields exist. Other fields may hold
 * anything.
 */
function isObject(
  checks: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): Check {
  const checkOf = new Map(Object.entries(checks));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const field in value) {
      const check = checkOf.get(field);
      if (check && !check((value as Record<string, unknown>)[field])) return false;
    }
    // By index, here and below: callbacks and iterators take twice as long until V8 has compiled this.
    for (let at = 0; at < required.length; at++) {
      if (!((required[at] ?? '') in value)) return false;
    }
    return true;
  };
}

function isListOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (let at = 0; at < value.length; at++) if (!check(value[at])) return false;
    return true;
  };
}

const isProtocol = isObject({
  latency: orNull(isWhole),
  status: orNull(isText),
  lastProbed: orNull(isText),
  failureKind: isText,
  lossy: isFlag,
  slow: isFlag,
  state: isState,
  since: isText,
  failures: isWhole,
  degraded: isFlag,
  tainted: isFlag,
  loss1m: isShare,
  loss10m: isShare,
  loss1h: isShare,
  min: isWhole,
  p50: isWhole,
  p95: isWhole,
  p99: isWhole,
  max: isWhole,
  connect: isWhole,
  firstByte: isWhole,
  tcpRtt: isWhole,
  synRetransmissions: isWhole,
} satisfies ChecksOf<typeof protocolStatusSchema>);

const isPath = isObject(
  {
    ip: isText,
    icmp: orNull(isProtocol),
    http: orNull(isProtocol),
    unknown: isObject({ icmp: isText, http: isText }),
  } satisfies ChecksOf<typeof pathStatusSchema>,
  ['ip'],
);

const isPlane = isObject({
  'primary-address': orNull(isPath),
  'secondary-addresses': orNull(isListOf(isPath)),
} satisfies ChecksOf<typeof planeStatusSchema>);

const isPhase: Check = (value) =>
  ['joining', 'active', 'leaving', 'excluded'].includes(value as string);

const isLifecycle = isObject(
  { phase: isPhase, reason: isText } satisfies ChecksOf<typeof lifecycleSchema>,
  ['phase'],
);

const isNode = isObject(
  {
    name: isText,
    lifecycle: isLifecycle,
    host: orNull(isPlane),
    endpoint: orNull(isPath),
    'health-endpoint': orNull(isPlane),
  } satisfies ChecksOf<typeof nodeStatusSchema>,
  ['name'],
);

const isProtocolPlan = isObject(
  {
    paths: isWhole,
    intervalMs: isAmount,
    timeToDetectMs: isAmount,
    timeToDetectWithHintsMs: isAmount,
  } satisfies ChecksOf<typeof protocolPlanSchema>,
  ['paths', 'intervalMs', 'timeToDetectMs'],
);

const isStatus = isObject(
  {
    local: isObject({ name: isText }, ['name']),
    timestamp: isText,
    probeInterval: isText,
    plan: isObject({ icmp: isProtocolPlan, http: isProtocolPlan } satisfies ChecksOf<
      typeof planSchema
    >),
    generation: isWhole,
    findings: isWhole,
    nodes: isListOf(isNode),
  } satisfies ChecksOf<typeof statusSchema>,
  ['local', 'timestamp', 'nodes'],
);

/**
 * Whether a body certainly is a status. It accepts no more than the schema does, in a tenth of the
 * time. Validation of thousands of nodes would take most of the CLI's time. If the result is false,
 * the schema decides and gives the reason.
 */
export function isWellFormedStatus(body: unknown): body is Status {
  return isStatus(body);
}
