import { useEffect, useRef } from 'preact/hooks';
import { i18n } from '../shared/i18n/i18n.ts';
import { Copyable } from '../shared/ui/copyable.tsx';

/** A new secret. It gets the focus, and disappears with the view. */
export function ShownOnce({ label, text }: { label: string; text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), [text]);
  return (
    <div ref={box} class="notice">
      <p role="status">{i18n._('Copy it now: it cannot be shown again.')}</p>
      <Copyable label={label} text={text} />
    </div>
  );
}
