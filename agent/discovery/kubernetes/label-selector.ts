export type Labels = Readonly<Record<string, unknown>>;

type Term = (labels: Labels) => boolean;

const key = '(?:[A-Za-z0-9.-]{1,253}/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?';
const value = '(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?';
const equality = new RegExp(`^(${key})\\s*(==?|!=)\\s*(${value})$`);
const set = new RegExp(`^(${key})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const presence = new RegExp(`^(!?)\\s*(${key})$`);
const wholeValue = new RegExp(`^${value}$`);

/**
 * Reads a label selector as kubectl takes it (`a=b`, `a!=b`, `a`, `!a`, `a in (b,c)`,
 * `a notin (b,c)`, joined by commas) into a test of labels; undefined where it is none.
 */
export function readLabelSelector(text: string): ((labels: Labels) => boolean) | undefined {
  // Commas within parentheses are not those between terms.
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  const terms = parts.map(readTerm);
  if (!terms.every((term) => term !== undefined)) return undefined;
  return (labels) => terms.every((term) => term(labels));
}

function readTerm(text: string): Term | undefined {
  const [, name = '', operator, wanted] = equality.exec(text) ?? [];
  if (operator !== undefined) {
    return (labels) => (valueOf(labels, name) === wanted) === (operator !== '!=');
  }
  const [, listed = '', membership, items = ''] = set.exec(text) ?? [];
  if (membership !== undefined) {
    const values = items.split(',').map((item) => item.trim());
    if (!values.every((item) => wholeValue.test(item))) return undefined;
    const isIn: Term = (labels) => values.some((item) => valueOf(labels, listed) === item);
    return membership === 'in' ? isIn : (labels) => !isIn(labels);
  }
  const [, not, present] = presence.exec(text) ?? [];
  if (present === undefined) return undefined;
  return (labels) => (valueOf(labels, present) !== undefined) === (not === '');
}

function valueOf(labels: Labels, name: string): unknown {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}
