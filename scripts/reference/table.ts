/** A Markdown table. The first row is its head. */
export function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Values as code, with commas between them. */
export function codes(values: Iterable<string | number>): string {
  return [...values].map((value) => `\`${value}\``).join(', ');
}

/** The text of a page: its parts, with an empty line between them. */
export function pageOf(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

/** The anchor that GitHub gives to a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}
