/**
 * Copies a text, and tells whether that worked. Browsers offer the clipboard only to pages from loopback
 * or over TLS. On others a selection is copied, as a reader would do by hand.
 */
export async function copyText(text: string): Promise<boolean> {
  // The types promise a clipboard.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return copySelected(text);
  return clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  );
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else copies without TLS
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
