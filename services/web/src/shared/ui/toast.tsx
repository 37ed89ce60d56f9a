import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import { i18n } from '../i18n/i18n.ts';
import { ActionButton } from './action-button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo: (() => Promise<unknown>) | undefined;
}

const MAX_TOASTS = 3;
const SHOWN_MS = 6_000;
/** Time to read it, decide and reach the button. */
const SHOWN_WITH_UNDO_MS = 12_000;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/**
 * Says what was done, for a moment. `undo` takes it back. Errors belong where they can be corrected, and secrets where
 * they stay: a toast goes away.
 */
export function showToast(text: string, options: { readonly undo?: () => Promise<unknown> } = {}): void {
  const toast = { id: ++lastId, text, undo: options.undo };
  toasts.value = [...toasts.value, toast].slice(-MAX_TOASTS);
}

function remove(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** The toasts, once on each page. The element always exists, so that screen readers announce its content. */
export function Toasts() {
  return (
    <div class="toasts" aria-live="polite">
      {toasts.value.map((toast) => (
        <ToastMessage key={toast.id} {...toast} />
      ))}
    </div>
  );
}

/** It stays while the pointer or the focus is on it, and while its undoing runs or has failed. */
function ToastMessage({ id, text, undo }: Toast) {
  const [isHeld, setHeld] = useState(false);
  const undoing = useAction(async () => {
    await undo?.();
    remove(id);
  });
  const stays = isHeld || undoing.isBusy || undoing.otherProblem() !== undefined;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => remove(id), undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only stop the clock
    <div
      class="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
      onKeyDown={({ key }) => key === 'Escape' && remove(id)}
    >
      <p>{text}</p>
      {undo && (
        <ActionButton kind="plain" action={undoing}>
          {i18n._('Undo')}
        </ActionButton>
      )}
      <button type="button" class="plain" onClick={() => remove(id)}>
        {i18n._('Dismiss')}
      </button>
    </div>
  );
}
