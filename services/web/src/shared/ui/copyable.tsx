import { useId, useRef, useState } from 'preact/hooks';
import { copyText } from '../copy-text.ts';
import { i18n } from '../i18n/i18n.ts';
import { Button } from './button.tsx';

/** Text to copy, such as a secret that is shown once. A masked one is shown by a button. */
export function Copyable(props: { label: string; text: string; isMasked?: boolean }) {
  const { label, text, isMasked = false } = props;
  const id = useId();
  const [isHidden, setHidden] = useState(isMasked);
  const announcement = useRef<HTMLSpanElement>(null);
  const copy = async () => {
    const copied = await copyText(text);
    if (announcement.current)
      announcement.current.textContent = copied ? i18n._('Copied') : i18n._('Select the text to copy it');
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copyable">
        <input
          id={id}
          readOnly
          dir="ltr"
          autoComplete="off"
          value={isHidden ? masked(text) : text}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        {isMasked && (
          <Button
            label={isHidden ? i18n._('Show: {label}', { label }) : i18n._('Hide: {label}', { label })}
            onClick={() => setHidden(!isHidden)}
          >
            {isHidden ? i18n._('Show') : i18n._('Hide')}
          </Button>
        )}
        <Button label={i18n._('Copy: {label}', { label })} onClick={() => void copy()}>
          {i18n._('Copy')}
        </Button>
      </div>
      <span ref={announcement} role="status" class="hint" />
    </div>
  );
}

const LAST_SHOWN = 4;
const MAX_DOTS = 24;

/** Dots for all but the last characters, which tell two of them apart. */
function masked(text: string): string {
  const end = text.length > 4 * LAST_SHOWN ? text.slice(-LAST_SHOWN) : '';
  return '•'.repeat(Math.min(text.length - end.length, MAX_DOTS)) + end;
}
