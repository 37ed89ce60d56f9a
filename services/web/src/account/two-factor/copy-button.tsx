import { useState } from 'preact/hooks';
import { copyText } from '../../shared/copy-text.ts';
import { i18n } from '../../shared/i18n/i18n.ts';

/** Copies the text next to it. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [announcement, announce] = useState('');
  const copy = async () =>
    announce((await copyText(text)) ? i18n._('Copied') : i18n._('Select the text to copy it'));
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {children}
      </button>
      <span role="status" class="hint">
        {announcement}
      </span>
    </>
  );
}
