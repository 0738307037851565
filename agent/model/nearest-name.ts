/** A typo changes this share of a name's characters at most, and one character of a short name. */
const typoShare = 1 / 4;

/** How near two names are, the nearest first. Each typo adds one to the last of them. */
const distances = { same: 0, oneHasDomain: 1, otherDomain: 2, otherCase: 3, typos: 4 } as const;

/** Among equally near names one of the same cluster comes first. */
const otherCluster = 0.5;

/**
 * Of the names, the one that a wrong name was most likely meant to be: one of the same host (short
 * name against FQDN), then one that differs only in case, then the one with the fewest typos. Nodes
 * that differ in their numbers (n1 and n2) are different nodes and no typos. Of equally near ones
 * it is the lowest.
 * @param name `cluster/node`, as are the names
 * @returns undefined if no name is near, or if the name itself is among the names
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const { cluster, node } = parse(name);
  const distanceOf = createDistance(node);
  let best: string | undefined;
  let least = Infinity;
  for (const other of names) {
    if (other === name) return undefined;
    const otherParts = parse(other);
    const added = otherParts.cluster === cluster ? 0 : otherCluster;
    const distance = distanceOf(otherParts.node, least - added) + added;
    if (distance > least || distance === Infinity) continue;
    if (distance === least && best !== undefined && best < other) continue;
    [best, least] = [other, distance];
  }
  return best;
}

/** How far a name is from that one, if it is at most that far; else it may be Infinity. */
function createDistance(wanted: string): (name: string, most: number) => number {
  const lowerWanted = wanted.toLowerCase();
  const numbers = numbersOf(wanted);
  return (name, most) => {
    const exact = hostDistance(wanted, name);
    if (exact < Infinity) return exact;
    const lower = name.toLowerCase();
    if (hostDistance(lowerWanted, lower) < Infinity) return distances.otherCase;
    const allowed = Math.max(Math.floor(Math.min(wanted.length, name.length) * typoShare), 1);
    const mostTypos = Math.min(allowed, most - distances.typos);
    if (mostTypos < 1 || Math.abs(wanted.length - name.length) > mostTypos) return Infinity;
    if (numbersOf(name) !== numbers) return Infinity;
    const typos = editDistance(lowerWanted, lower);
    return typos <= mostTypos ? distances.typos + typos : Infinity;
  };
}

function hostDistance(a: string, b: string): number {
  if (a === b) return distances.same;
  const [endA, endB] = [firstPartEnd(a), firstPartEnd(b)];
  if (endA !== endB || !b.startsWith(a.slice(0, endA))) return Infinity;
  if (b.startsWith(`${a}.`) || a.startsWith(`${b}.`)) return distances.oneHasDomain;
  // The first part of an IP address names no host.
  return /[a-z]/i.test(a.slice(0, endA)) ? distances.otherDomain : Infinity;
}

function firstPartEnd(name: string): number {
  const dot = name.indexOf('.');
  return dot < 0 ? name.length : dot;
}

/** The numbers in a name, without leading zeros. */
function numbersOf(name: string): string {
  return (name.match(/[1-9]\d*|0(?!\d)/g) ?? []).join(' ');
}

/**
 * How many characters it takes to insert, delete, replace or swap with the next one (Damerau and
 * Levenshtein, the optimal string alignment).
 */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, swapped));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

function parse(name: string): { readonly cluster: string; readonly node: string } {
  const slash = name.indexOf('/');
  return { cluster: name.slice(0, Math.max(slash, 0)), node: name.slice(slash + 1) };
}
