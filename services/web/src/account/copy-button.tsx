import { useState } from 'preact/hooks';

/** Copies text that is shown beside it. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [said, say] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Select the text to copy it'),
    );
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {children}
      </button>
      <span role="status" class="hint">
        {said}
      </span>
    </>
  );
}
