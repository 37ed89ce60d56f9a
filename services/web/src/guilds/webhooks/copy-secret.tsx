import { useRef } from 'preact/hooks';
import { copyText } from '../../shared/copy-text.ts';
import { i18n } from '../../shared/i18n/i18n.ts';

/** A text with a secret: it is shown masked, and copied as a whole. */
export function CopySecret(props: {
  label: string;
  shown: string;
  text: string;
  /** The label of the button. */
  copy: string;
  hint?: string;
}) {
  const { label, shown, text, copy, hint } = props;
  const announcement = useRef<HTMLSpanElement>(null);
  const run = async () => {
    const copied = await copyText(text);
    if (announcement.current)
      announcement.current.textContent = copied ? i18n._('Copied') : i18n._('The browser did not allow it');
  };
  return (
    <div class="field">
      <span class="copy-label">{label}</span>
      <pre class="masked" dir="ltr">
        {shown}
      </pre>
      <div class="actions">
        <button type="button" onClick={() => void run()}>
          {copy}
        </button>
        <span ref={announcement} role="status" class="hint" />
      </div>
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
}
