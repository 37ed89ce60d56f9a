/**
 * Copies text. The clipboard API exists in secure contexts only; elsewhere, the browser copies the selected text.
 * Returns false if neither works.
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return copySelected(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  );
}

/** Copies from a text area, inside an open dialog if there is one: nothing outside it can be selected. */
function copySelected(text: string): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.value = text;
  field.className = 'unseen';
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
