import { go, hereWith, query } from '../router/place.ts';
import { QueryForm } from './query-form.tsx';

/** A search form whose text is the parameter `q` of the page's address. Each search is an entry of the history. */
export function QuerySearch({ label, hint }: { label: string; hint: string }) {
  const q = query.value.get('q') ?? '';
  return (
    <QueryForm
      label={label}
      hint={hint}
      submit="Search"
      value={q}
      onSubmit={(text) => text !== q && go(hereWith({ q: text }))}
    />
  );
}
