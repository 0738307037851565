import { planes, protocols, type Plane, type Protocol } from '../../schema/v1/channel.js';

/** The choice of a matrix. `worst` is of each pair the plane or protocol in which it is worst. */
export interface MatrixChoice {
  readonly plane: Plane | 'worst';
  readonly protocol: Protocol | 'worst';
  /** The label by whose values the nodes of the overview are grouped; absent: by zone. */
  readonly by?: string;
}

/** What the page shows. The URL holds all of it. */
export type Route =
  | { readonly view: 'overview'; readonly matrix: MatrixChoice }
  | { readonly view: 'finding'; readonly id: string }
  | { readonly view: 'matrix'; readonly matrix: MatrixChoice }
  | {
      readonly view: 'zones';
      readonly from: string;
      readonly to: string;
      readonly matrix: MatrixChoice;
    }
  | {
      readonly view: 'nodes';
      readonly name: string;
      readonly zone: string;
      readonly state: string;
      /** As `parseSort` reads it; empty: the order of the names. */
      readonly sort: string;
    }
  | { readonly view: 'node'; readonly name: string }
  | { readonly view: 'targets'; readonly sort: string }
  | { readonly view: 'target'; readonly name: string; readonly sort: string }
  | {
      readonly view: 'events';
      /** Only events of this type; empty: all. */
      readonly type: string;
      /** Only events about this node, as CLUSTER/NAME; empty: all. */
      readonly node: string;
    }
  | { readonly view: 'none'; readonly path: string };

/**
 * Reads the path and query of a URL. Names in it are escaped with `encodeURIComponent`, so a name
 * may hold any character.
 */
export function parseRoute(url: { readonly pathname: string; readonly search: string }): Route {
  const query = new URLSearchParams(url.search);
  const get = (name: string): string => query.get(name) ?? '';
  const none: Route = { view: 'none', path: url.pathname };
  const parts = decodeParts(url.pathname);
  if (!parts) return none;
  const [view, first, second, ...more] = parts;
  if (more.length > 0) return none;
  // A reader types the slash of CLUSTER/NAME as it is.
  if (view === 'nodes' && first && second) return { view: 'node', name: `${first}/${second}` };
  const matrix = matrixChoice(query);
  if (view === undefined) return { view: 'overview', matrix };
  if (view === 'matrix' && first === undefined) return { view: 'matrix', matrix };
  if (view === 'zones' && first !== undefined && second !== undefined) {
    return { view: 'zones', from: first, to: second, matrix };
  }
  if (view === 'findings' && first !== undefined && second === undefined) {
    return { view: 'finding', id: first };
  }
  if (view === 'nodes' && first === undefined) {
    return {
      view: 'nodes',
      name: get('name'),
      zone: get('zone'),
      state: get('state'),
      sort: get('sort'),
    };
  }
  if (view === 'nodes' && first !== undefined && second === undefined) {
    return { view: 'node', name: first };
  }
  if (view === 'targets' && first === undefined) return { view: 'targets', sort: get('sort') };
  if (view === 'targets' && first !== undefined && second === undefined) {
    return { view: 'target', name: first, sort: get('sort') };
  }
  if (view === 'events' && first === undefined) {
    return { view: 'events', type: get('type'), node: get('node') };
  }
  return none;
}

/** Writes the URL of a route. `parseRoute` reads the same route from it. */
export function urlOf(route: Route): string {
  switch (route.view) {
    case 'overview':
      return `/${matrixQuery(route.matrix)}`;
    case 'matrix':
      return `/matrix${matrixQuery(route.matrix)}`;
    case 'zones':
      return `/zones/${escapePart(route.from)}/${escapePart(route.to)}${matrixQuery(route.matrix)}`;
    case 'finding':
      return `/findings/${escapePart(route.id)}`;
    case 'nodes': {
      const { name, zone, state, sort } = route;
      return `/nodes${queryOf({ name, zone, state, sort })}`;
    }
    case 'node':
      return `/nodes/${escapePart(route.name)}`;
    case 'targets':
      return `/targets${queryOf({ sort: route.sort })}`;
    case 'target':
      return `/targets/${escapePart(route.name)}${queryOf({ sort: route.sort })}`;
    case 'events':
      return `/events${queryOf({ type: route.type, node: route.node })}`;
    case 'none':
      return route.path;
  }
}

/** The matrix of a reader who has chosen none. */
export const firstMatrix: MatrixChoice = { plane: 'worst', protocol: 'worst' };

/** The nodes of a reader who has filtered and sorted nothing. */
export const allNodes = { view: 'nodes', name: '', zone: '', state: '', sort: '' } as const;

/** The events of a reader who has filtered nothing. */
export const allEvents = { view: 'events', type: '', node: '' } as const;

function matrixChoice(query: URLSearchParams): MatrixChoice {
  const by = query.get('by') ?? '';
  return {
    plane: planes.find((plane) => plane === query.get('plane')) ?? firstMatrix.plane,
    protocol:
      protocols.find((protocol) => protocol === query.get('protocol')) ?? firstMatrix.protocol,
    ...(by !== '' && { by }),
  };
}

function matrixQuery({ plane, protocol, by = '' }: MatrixChoice): string {
  return queryOf({
    by,
    plane: plane === firstMatrix.plane ? '' : plane,
    protocol: protocol === firstMatrix.protocol ? '' : protocol,
  });
}

/** The parameters that are not empty, as the end of a URL. */
function queryOf(parameters: Readonly<Record<string, string>>): string {
  const chosen = Object.entries(parameters).filter(([, value]) => value !== '');
  return chosen.length === 0 ? '' : `?${new URLSearchParams(chosen).toString()}`;
}

/**
 * Puts a `~` before names that a URL would lose. Browsers remove `.` and `..` even if escaped, and
 * an empty name may end the path.
 */
function escapePart(name: string): string {
  return /^(\.{0,2}$|~)/.test(name) ? `~${encodeURIComponent(name)}` : encodeURIComponent(name);
}

/** Undefined if an escape is invalid. */
function decodeParts(pathname: string): string[] | undefined {
  try {
    const parts = pathname.split('/').slice(1);
    if (parts.at(-1) === '') parts.pop();
    return parts.map((part) => decodeURIComponent(part).replace(/^~/, ''));
  } catch {
    return undefined;
  }
}
