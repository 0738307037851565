import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A command of a fenced block in a Markdown file. */
export interface DocumentedCommand {
  /** The path of the file below the folder of the repository. */
  readonly page: string;
  /** One line, without the comment behind it. */
  readonly command: string;
}

/** A block without a language holds commands if one of its lines begins with one of these. */
const programs =
  /^(\(umask|calicoctl|cd|curl|docker|helm|install|kubectl|meshprobe(-agent)?|MESHPROBE_\w+=\S+|node|npm|npx|rm|setpriv|sudo|systemctl|systemd-\w+)\s/m;
const fence = /^( *)```(\w*)\n([^]*?)\n *```$/gm;

/** The commands of the README and of all pages in docs/, in their order. */
export function documentedCommands(root: string): readonly DocumentedCommand[] {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...pages.map((name) => `docs/${name}`)].flatMap((page) =>
    commandsIn(readFileSync(join(root, page), 'utf8')).map((command) => ({ page, command })),
  );
}

/** The commands of a text. Lines that end with a backslash go on in the next one. */
export function commandsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(fence)].flatMap(([, indent = '', language = '', body = '']) => {
    const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const isShell = ['sh', 'bash', 'shell', 'console'].includes(language);
    if (!isShell && (language !== '' || !programs.test(text))) return [];
    return text
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) =>
        line
          .replace(/^\$ /, '')
          .replace(/(^|\s+)#\s.*$/, '')
          .trim(),
      )
      .filter((line) => line !== '');
  });
}
