/** Every measurement: its title, and the commands that it needs. */
export const measurements = {
  start: { title: 'process start to an answering socket and to a complete first sweep', needs: [] },
  cost: { title: 'processor and memory of an agent, and of answering', needs: [] },
  footprint: {
    title: 'agents of 1, 12 and 100 nodes at rest, and a responder: processor, wake-ups, memory',
    needs: [],
  },
  rtt: { title: "RTTs against the kernel's stamps of the same packets at the device", needs: [] },
  detection: { title: "a node's death and its return, until the API says so", needs: [] },
  cli: { title: 'cold start of the CLI against node -e 0', needs: [] },
  status: { title: 'status requests while probing, against a bare server', needs: ['wrk'] },
  load: {
    title: 'probing while /hello and the socket are flooded, against calm',
    needs: ['wrk'],
  },
  findings: {
    title:
      'findings at 5,000 nodes of which 30 % are dead, in a process with the flags of an agent',
    needs: [],
  },
  targets: {
    title: 'what sixteen targets cost at 5,000 nodes, in this process; the RTT of one by HTTPS',
    needs: [],
  },
  rows: { title: 'what asking for rows brings, in this process', needs: [] },
  'host-signs': {
    title: 'what reading the figures of a host costs, in a process of its own',
    needs: [],
  },
  'path-tests': {
    title: 'what large GETs, datagrams and flow tests cost at 5,000 nodes, and RTTs beside them',
    needs: [],
  },
  throughput: {
    title: 'throughput tests against iperf3, by links of several rates',
    needs: ['iperf3'],
  },
  metrics: { title: 'scrapes of /metrics at 5,000 nodes, in this process', needs: [] },
  cluster: {
    title: 'the matrix of 1,000 nodes, and 200 readers of events, while probing',
    needs: [],
  },
  exchange: { title: 'what the exchange of rows and hints costs, with and without', needs: [] },
  probes: { title: 'processor time per ICMP and per HTTP probe', needs: [] },
  stalls: { title: 'the longest stall at 20,000 nodes: arrival, 10 % churn, a read', needs: [] },
  kubernetes: { title: 'listing 5,000 nodes from a Kubernetes API server', needs: [] },
  'kubernetes-bytes': {
    title: 'what an agent takes from a real API server at 1,000 and 5,000 nodes',
    needs: [],
  },
  get: { title: "the agent's GET against a bare undici Client, in turns", needs: [] },
} as const satisfies Record<string, { readonly title: string; readonly needs: readonly string[] }>;

export type Measurement = keyof typeof measurements;

export const measurementNames = Object.keys(measurements) as Measurement[];
