import { computed, effect, signal } from '@preact/signals';
import { session } from '../shared/api/session.ts';

/** The unsaved input of each form, which is shown again when its tab is reopened. */
const drafts = signal<ReadonlyMap<string, unknown>>(new Map());
/** The forms whose input is lost with the page. That of the authorization link is not saved anywhere. */
const isSavable = (form: string) => !form.endsWith('/link');

let owner: string | undefined;
effect(() => {
  const account = session.value?.user_id;
  if (account !== owner) drafts.value = new Map();
  owner = account;
});

/** Whether leaving the page would lose input. */
const hasUnsaved = computed(() => [...drafts.value.keys()].some(isSavable));

/** The browser asks before it leaves the page. Within the page nothing is lost: drafts stay. */
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
effect(() => {
  if (hasUnsaved.value) addEventListener('beforeunload', askBeforeLeaving);
  else removeEventListener('beforeunload', askBeforeLeaving);
});

/** Whether a form has input that was not saved. */
export function isUnsaved(form: string): boolean {
  return isSavable(form) && drafts.value.has(form);
}

/** The state of a form, which outlives its tab but not the page. `save` marks it as saved. */
export function useDraft<T>(form: string, saved: T) {
  const draft = (drafts.value.get(form) as T | undefined) ?? saved;
  return {
    draft,
    edit(next: T): void {
      if (isSavable(form) && JSON.stringify(next) === JSON.stringify(saved)) discardDraft(form);
      else drafts.value = new Map(drafts.value).set(form, next);
    },
    /** The saved value comes with the next render. */
    save(): void {
      discardDraft(form);
    },
  };
}

/** Drops the input of a form. */
export function discardDraft(form: string): void {
  const rest = new Map(drafts.value);
  if (rest.delete(form)) drafts.value = rest;
}

/** Changes a draft from another tab, if there is one. */
export function amendDraft<T>(form: string, amend: (draft: T) => T): void {
  const draft = drafts.value.get(form) as T | undefined;
  if (draft !== undefined) drafts.value = new Map(drafts.value).set(form, amend(draft));
}
