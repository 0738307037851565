import { readFileSync } from 'node:fs';

declare const __WHEN_IT_SAYS__: string | undefined;

/** A section of the page "When it says ...". */
export interface GuideSection {
  /** Its anchor on the page, which is the kind of finding that it is about. */
  readonly anchor: string;
  readonly uri: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

const base = 'meshprobe://when-it-says';

/** Cuts the page into its beginning and one section for each kind of finding. */
export function guideSections(page: string = readPage()): readonly GuideSection[] {
  const [beginning = '', ...sections] = page.split(/^(?=## )/m);
  return [
    { anchor: '', uri: base, title: 'When it says ...', text: beginning.trim() },
    ...sections.map((text) => {
      const anchor = (/^## (.+)$/m.exec(text)?.[1] ?? '').trim();
      const title = `When it says ${anchor}`;
      return { anchor, uri: `${base}/${anchor}`, title, text: text.trim() };
    }),
  ];
}

/** The build puts the page into the bundle. The sources read it where it stands. */
function readPage(): string {
  if (typeof __WHEN_IT_SAYS__ !== 'undefined') return __WHEN_IT_SAYS__;
  return readFileSync(new URL('../../docs/when-it-says.md', import.meta.url), 'utf8');
}
