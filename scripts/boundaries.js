// What each folder of the agent is for and may import: the one source of the rules of ESLint and of the
// table in docs/architecture.md, which `npm run docs` writes.

/**
 * @typedef {object} Folder
 * @property {string} name below agent/
 * @property {string} answers the question that the folder answers
 * @property {readonly string[] | 'everything'} imports the other folders of the agent that it may import
 * @property {readonly string[]} [never] packages and paths that it may not import either
 * @property {string} [because] what ESLint says to who imports more
 * @property {readonly Room[]} [rooms] its own folders, in their order: each may import those before it alone
 */

/**
 * @typedef {object} Room
 * @property {string} name below the folder
 * @property {string} answers the question that the room answers
 */

const sockets = ['node:net', 'node:http', 'undici', 'hono'];
const routes = '**/api/routes/**';

/** @type {readonly Folder[]} */
export const folders = [
  { name: 'commands', answers: 'what does the command line ask for?', imports: 'everything' },
  {
    name: 'start',
    answers: 'how is one agent built and started, phase by phase?',
    imports: 'everything',
  },
  {
    name: 'platform',
    answers: 'what does the machine give us: clock, log, errors, event loop, C library',
    imports: ['model'],
    never: [routes],
    because: 'platform knows nothing of what the agent does',
  },
  {
    name: 'model',
    answers: 'what are the nouns: node, address, path, channel, sample, path state, row',
    imports: [],
    because: 'the model imports nothing',
  },
  {
    name: 'config',
    answers: 'what was the agent told?',
    imports: ['discovery', 'targets', 'platform', 'model', 'probing'],
    because: 'the configuration is read before anything runs',
  },
  {
    name: 'discovery',
    answers: 'who is in the cluster?',
    imports: ['platform', 'model'],
    because: 'discovery says who is in the cluster and knows nothing of what is done with it',
  },
  {
    name: 'probing',
    answers: 'when is a path probed, and how?',
    imports: ['platform', 'model'],
    never: [routes, 'hono'],
    because: 'probing gives samples and knows nothing of what becomes of them',
  },
  {
    name: 'path-tests',
    answers: 'what does one path let through: its hops, its largest packet, its flows?',
    imports: ['probing', 'platform', 'model'],
    never: [routes, 'hono'],
    because: 'tests of a path say what they find and know no one who asks',
  },
  {
    name: 'results',
    answers: 'what do we know of each path?',
    imports: ['platform', 'model'],
    never: sockets,
    because: 'results know nothing of sockets',
  },
  {
    name: 'targets',
    answers:
      'what else does the cluster live on: which targets, how they are probed, and what is known of them',
    imports: ['probing', 'results', 'platform', 'model'],
    never: [routes, 'hono'],
    because: 'targets are probed and judged like paths, and know no one who reads the results',
  },
  {
    name: 'host',
    answers: 'what does the kernel of this host count of itself, and what is bad in it?',
    imports: ['platform', 'model'],
    never: [...sockets, routes],
    because: 'the host is read, whoever reads what is found',
  },
  {
    name: 'peers',
    answers: 'who are the other agents, what does each of them see, and what does this one?',
    imports: ['platform', 'model'],
    never: sockets,
    because: 'what is known of other agents does not depend on how it comes',
  },
  {
    name: 'exchange',
    answers: 'what do agents tell each other on `GET /hello`: messages, rows and hints',
    imports: ['peers', 'platform', 'model'],
    never: ['hono'],
    because: 'the exchange feeds what is known of peers, and knows no one who reads it',
  },
  {
    name: 'diagnosis',
    answers: 'what is broken? A pure function from rows to findings',
    imports: ['model'],
    never: sockets,
    because: 'diagnosis is a pure function of the model',
    rooms: [
      {
        name: 'nouns',
        answers:
          'what is passed around: node, subject, channels, cause, finding, what is remembered between two runs',
      },
      {
        name: 'evidence',
        answers:
          'what do rows say: who looked, at what, on which channel, when, and with what result?',
      },
      {
        name: 'search',
        answers: 'which causes explain what fails at the least cost?',
      },
      {
        name: 'life',
        answers: 'when did a cause begin and end, and when does its finding open and close?',
      },
      {
        name: 'kinds',
        answers:
          'what is each kind of finding: when it applies, what it waits for, what it says, and what to do next',
      },
    ],
  },
  {
    name: 'cluster',
    answers: 'what do all agents together see, and what changed?',
    imports: ['diagnosis', 'reports', 'results', 'targets', 'platform', 'model'],
    never: ['node:net', 'undici'],
    because: 'the cluster is made of rows and results, wherever they come from',
  },
  {
    name: 'reports',
    answers: 'how is it written down for readers?',
    imports: [
      'results',
      'targets',
      'peers',
      'exchange',
      'diagnosis',
      'probing',
      'platform',
      'model',
    ],
    never: ['node:net', 'node:http', 'undici'],
    because: 'reports write bodies and serve nothing',
  },
  {
    name: 'selfcheck',
    answers: 'is this agent itself well?',
    imports: ['config', 'discovery', 'probing', 'results', 'serving', 'platform', 'model'],
    because: 'the self check looks at the parts of this agent, not at what others tell',
  },
  {
    name: 'turns',
    answers: 'which agent does what one agent is to do for the whole cluster?',
    imports: ['platform', 'model'],
    never: [routes, ...sockets],
    because: 'turns are the same for whatever is done in turn',
  },
  {
    name: 'kubernetes-status',
    answers: 'what of all this is written onto the nodes of Kubernetes, when, and by which agent?',
    imports: ['turns', 'discovery', 'diagnosis', 'platform', 'model'],
    never: [routes, ...sockets],
    because: 'it writes what the cluster found, through the API client of discovery alone',
  },
  {
    name: 'network-pods',
    answers:
      'which pods of kube-proxy and the network plugin run on this node, and what changed of them?',
    imports: ['discovery', 'platform', 'model'],
    never: [routes, ...sockets],
    because: 'pods are read through the API client of discovery, whoever is told of changes',
  },
  {
    name: 'notices',
    answers: 'who is told of findings, of which, when, and by which agent?',
    imports: ['turns', 'diagnosis', 'platform', 'model'],
    never: [routes, 'hono'],
    because: 'notices tell what the cluster found, and know no one who reads the results',
  },
  {
    name: 'serving',
    answers: 'who listens where?',
    imports: ['config', 'platform', 'model'],
    because: 'serving takes bodies from its source and knows nothing of what is in them',
  },
];

/**
 * What a folder may not import: every other folder that is not named, the agent's own wiring, the CLI.
 *
 * @param {Folder} folder
 */
export function forbiddenImports({ name, imports, never = [] }) {
  const allowed = [name, ...imports];
  return [
    '**/cli/**',
    '**/agent.js',
    ...folders
      .filter((other) => !allowed.includes(other.name))
      .flatMap((other) => ['../', '../../', '../../../'].map((up) => `${up}${other.name}/**`)),
    ...never,
  ];
}

/**
 * What each room of a folder may not import: what the folder may not, the rooms after it, and the files beside the rooms.
 *
 * @param {Folder} folder
 */
export function roomsOf(folder) {
  const rooms = folder.rooms ?? [];
  return rooms.map((room, at) => ({
    files: [`agent/${folder.name}/${room.name}/**`],
    group: [
      ...forbiddenImports(folder),
      ...rooms.slice(at + 1).map(({ name }) => `../${name}/**`),
      '../*.js',
    ],
    message: `rooms of ${folder.name} import downwards alone: ${importsOf(folder, at)}`,
  }));
}

/**
 * @param {Folder} folder
 * @param {number} at the place of the room
 */
function importsOf({ imports, rooms = [] }, at) {
  return [...rooms.slice(0, at).map(({ name }) => name), ...imports].join(', ');
}

/** The table of the folders, as docs/architecture.md has it. */
export function folderTable() {
  const rows = folders.flatMap((folder) => {
    const { name, answers, imports } = folder;
    const words = imports === 'everything' ? imports : imports.join(', ') || 'nothing';
    return [
      `| \`agent/${name}/\` | ${answers} | ${words} |`,
      ...(folder.rooms ?? []).map(
        (room, at) =>
          `| \`agent/${name}/${room.name}/\` | ${room.answers} | ${importsOf(folder, at)} |`,
      ),
    ];
  });
  return ['| folder | what it answers | imports |', '|---|---|---|', ...rows].join('\n');
}

const tablePattern = /\| folder \| what it answers \| imports \|\n(?:\|.*\n)+/;

/**
 * The page with the table as it is to be.
 *
 * @param {string} page
 */
export function withFolderTable(page) {
  if (!tablePattern.test(page)) throw new Error('expected the table of the folders, got none');
  return page.replace(tablePattern, () => `${folderTable()}\n`);
}
