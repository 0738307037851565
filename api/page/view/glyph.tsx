const paths = {
  ok: 'M5 12.5l4.5 4.5L19 7.5',
  degraded: 'M12 5l8 14H4z',
  broken: 'M6 6l12 12M18 6L6 18',
  unknown: 'M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 1.8v.5M12 17.5v.5',
  excluded: 'M6 12h12',
  news: 'M12 11.5v1',
} as const;
export type GlyphKind = keyof typeof paths;

/**
 * The shape of a verdict. It is hidden from screen readers, because the word is always beside it.
 */
export function Glyph({ kind }: { readonly kind: GlyphKind }) {
  return (
    <svg class={`glyph glyph-${kind}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[kind]} />
    </svg>
  );
}

/** The glyph of a state or verdict. An agent of another version may send unknown words. */
export function glyphOf(word = 'unknown'): GlyphKind {
  switch (word) {
    case 'ok':
    case 'reachable':
      return 'ok';
    case 'broken':
    case 'unreachable':
      return 'broken';
    case 'lossy':
    case 'slow':
    case 'lossy, slow':
    case 'degraded':
      return 'degraded';
    case 'excluded':
      return 'excluded';
    default:
      return 'unknown';
  }
}
