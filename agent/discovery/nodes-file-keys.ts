/** The keys of a node in a nodes file. `npm run docs` lists them in docs/reference.md. */
export const nodeKeys = {
  name: {
    form: '`NAME` or `CLUSTER/NAME`',
    isRequired: true,
    meaning: 'Listed once. Without a cluster it is in that of `--cluster-name`',
  },
  host: {
    form: 'an IP address, or a list of them',
    isRequired: false,
    meaning: "The node's IP addresses. The first is the primary one, and the one for findings",
  },
  endpoint: {
    form: 'an IP address, or a list of them',
    isRequired: false,
    meaning: 'The IP addresses of its health endpoint on the pod network',
  },
  zone: {
    form: '1 to 127 letters, digits, `-` `_` `.` `/`',
    isRequired: false,
    meaning: 'Nodes of a zone are one row and one column of the matrix, and findings name zones',
  },
  labels: {
    form: 'a mapping of names to values',
    isRequired: false,
    meaning:
      'What it has in common with others: `rack: r3`, `kernel: 6.8.0-45`. At most 64 a node. Nodes are grouped by those of `--group-by`',
  },
} as const;
