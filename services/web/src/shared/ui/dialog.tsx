import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** A modal dialog in the middle. Escape closes it. Long content scrolls in it. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  /** For content beside other content. */
  isWide?: boolean;
  children: ComponentChildren;
}) {
  const { title, onClose, isWide = false, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const id = useId();
  // A layout effect is cleaned up while the dialog is still in the document. Only then does the focus return to its
  // place. The event of that close comes when another dialog may have taken the place of this one.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      isGone.current = true;
      shown?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={() => !isGone.current && onClose()}
      {...(isWide && { class: 'wide' })}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
