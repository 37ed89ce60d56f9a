import { effect } from '@preact/signals';
import { useState } from 'preact/hooks';
import { session } from '../shared/api/session.ts';

/** The unsaved input of each form, which is shown again when its tab is reopened. */
const drafts = new Map<string, unknown>();

effect(() => {
  if (session.value === undefined) drafts.clear();
});

/** The state of a form, which outlives its tab but not the page. `save` marks it as saved. */
export function useDraft<T>(form: string, saved: T) {
  const [draft, setDraft] = useState<T>((drafts.get(form) as T | undefined) ?? saved);
  return {
    draft,
    edit(next: T): void {
      drafts.set(form, next);
      setDraft(next);
    },
    save(next: T): void {
      drafts.delete(form);
      setDraft(next);
    },
  };
}

/** Changes a draft from another tab, if there is one. */
export function amendDraft<T>(form: string, amend: (draft: T) => T): void {
  if (drafts.has(form)) drafts.set(form, amend(drafts.get(form) as T));
}
