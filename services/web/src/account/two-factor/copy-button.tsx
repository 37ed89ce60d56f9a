import { useState } from 'preact/hooks';
import { copyText } from '../../shared/copy-text.ts';

/** Copies the text next to it. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [announcement, announce] = useState('');
  const copy = async () => announce((await copyText(text)) ? 'Copied' : 'Select the text to copy it');
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
