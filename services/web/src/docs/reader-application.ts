import type { Application } from '@gatehouse/proto/oauth2';
import { computed, effect, signal } from '@preact/signals';
import { call } from '../shared/api/api.ts';
import { session } from '../shared/api/session.ts';

/** The reader's applications. Undefined until they are loaded, and without a session. */
export const applications = signal<readonly Application[] | undefined>(undefined);

/** The ID that the reader chose among them. */
export const chosenId = signal<string | undefined>(undefined);

/** The application in the examples: the chosen one, else the first. */
export const readerApplication = computed(() => {
  const all = applications.value ?? [];
  return all.find(({ id }) => id === chosenId.value) ?? all[0];
});

effect(() => {
  const token = session.value?.token;
  applications.value = undefined;
  if (token === undefined) return;
  // The examples keep their placeholders if the list cannot be loaded.
  call<Application[]>('GET', '/oauth2/applications/@me').then(
    (found) => {
      if (session.peek()?.token === token) applications.value = found;
    },
    () => undefined,
  );
});
