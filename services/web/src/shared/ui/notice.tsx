import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A success message or a hint. `takesFocus` if it replaces the focused element. */
export function Notice(props: { children: ComponentChildren; takesFocus?: boolean }) {
  const { children, takesFocus = false } = props;
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (takesFocus) notice.current?.focus();
  }, [takesFocus]);
  return (
    <p ref={notice} role="status" class="notice" tabIndex={-1}>
      {children}
    </p>
  );
}
