import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { pageOf, table } from './table.js';

/** A figure that decides what the agent makes of what it sees. */
export interface Constant {
  readonly name: string;
  readonly value: string;
  /** Its doc comment in one line; empty where it has none. */
  readonly meaning: string;
  /** Below `agent/diagnosis`. */
  readonly file: string;
}

const folder = 'agent/diagnosis';
const masks = 'nouns/channel-mask.ts';
/** Numbers that name something, and measure nothing. */
const names = new Set([
  'rowChannel',
  'httpChannels',
  'notKnown',
  'waits',
  'well',
  'bad',
  'noneLeftOut',
  'planeMasks',
]);
/** What says how far the work is cut up, and not what comes of it. */
const pacing = /^The work between two yields/;

/**
 * The constants at the top of the modules of the diagnosis whose values are numbers, but for masks and pacing.
 * @param root the folder of the repository
 */
export function diagnosisConstants(root: string): Constant[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .filter((file) => file !== masks)
    .flatMap((file) => constantsOf(join(root, folder, file), file))
    .filter(({ name, meaning }) => !names.has(name) && !pacing.test(meaning));
}

/** docs/reference-findings.md: what was chosen or tuned in the diagnosis, as one table. */
export function constantsPage(root: string): string {
  const rows = diagnosisConstants(root).map(({ name, value, meaning, file }) => [
    `\`${name}\``,
    `\`${value}\``,
    meaning,
    `\`${file}\``,
  ]);
  return pageOf(
    '# Constants of the diagnosis',
    `This page is written from the code: \`npm run docs\` writes it anew. It has the figures that decide which findings are made and when: what was chosen, and what was tuned with the simulations (\`npm run sim\`). [findings.md](findings.md) tells how they work together. A name that ends in \`Ms\` is in milliseconds, in \`S\` in seconds, in \`Share\` from 0 to 1; costs, weights and gains are natural logarithms of odds. Files are in \`${folder}\`.`,
    table([['constant', 'value', 'meaning', 'file'], ...rows]),
  );
}

function constantsOf(path: string, file: string): Constant[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  return source.statements.filter(ts.isVariableStatement).flatMap((statement) => {
    const meaning = ts
      .getJSDocCommentsAndTags(statement)
      .flatMap((doc) => (typeof doc.comment === 'string' ? doc.comment : []))
      .join(' ')
      .replace(/\s+/g, ' ');
    return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      if (!initializer || !isFigure(initializer)) return [];
      return { name: name.getText(), value: initializer.getText(), meaning, file };
    });
  });
}

/** A number, a list of numbers, or a sum or product of some. */
function isFigure(node: ts.Node): boolean {
  if (ts.isNumericLiteral(node)) return true;
  if (ts.isPrefixUnaryExpression(node)) return isFigure(node.operand);
  if (ts.isAsExpression(node)) return isFigure(node.expression);
  if (ts.isBinaryExpression(node)) return isFigure(node.left) && isFigure(node.right);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.every(isFigure) && node.elements.length > 0;
  if (ts.isCallExpression(node))
    return node.expression.getText() === 'Math.log' && node.arguments.every(isFigure);
  return false;
}
