// The few requests of man(7) that the pages need.

/** Text as roff takes it: no line of it is a request, and a dash stays a dash. */
export function escapeRoff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');
}

export function section(title: string): string {
  return `.SH ${quote(title.toUpperCase())}`;
}

export function subsection(title: string): string {
  return `.SS ${quote(title)}`;
}

export function paragraph(text: string): string {
  return `.PP\n${escapeRoff(text)}`;
}

/** Lines that stay as they are. */
export function literal(text: string): string {
  return `.PP\n.nf\n${escapeRoff(text)}\n.fi`;
}

/** A term in bold, and what it means. */
export function definition(term: string, text: string): string {
  return `.TP\n\\fB${escapeRoff(term)}\\fR\n${escapeRoff(text)}`;
}

/** One argument of a request. */
export function quote(text: string): string {
  return `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`;
}

/**
 * What follows the options in `--help`: `Title:` and lines below it, or paragraphs. Indented lines
 * stay as they are.
 */
export function helpText(text: string, title: (text: string) => string): string[] {
  const blocks = text.split(/\n(?:[ \t]*\n)+/).filter((block) => block.trim() !== '');
  return blocks.flatMap((block) => {
    const lines = block.replace(/^\n+|\s+$/g, '').split('\n');
    const [, heading] = /^(\w[^:]*):$/.exec(lines[0] ?? '') ?? [];
    const rest = heading === undefined ? lines : lines.slice(1);
    const body = rest.join('\n');
    const isLiteral = rest.every((line) => line.startsWith('  '));
    return [
      ...(heading === undefined ? [] : [title(heading)]),
      isLiteral ? literal(body.replace(/^ {2}/gm, '')) : paragraph(body),
    ];
  });
}
