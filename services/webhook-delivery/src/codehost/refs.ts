import { textAt, type Untyped } from '../execution/untyped.ts';

/** What was created or deleted, if it is one of the two that are shown. */
export function refTypeOf(payload: Untyped): 'branch' | 'tag' | undefined {
  const type = textAt(payload, 'ref_type');
  return type === 'branch' || type === 'tag' ? type : undefined;
}

/** A full ref, such as refs/heads/main, as what it is and the name that people use. */
export function splitRef(ref: string): { readonly noun: 'Branch' | 'Tag' | 'Ref'; readonly name: string } {
  if (ref.startsWith('refs/heads/')) return { noun: 'Branch', name: ref.slice('refs/heads/'.length) };
  if (ref.startsWith('refs/tags/')) return { noun: 'Tag', name: ref.slice('refs/tags/'.length) };
  return { noun: 'Ref', name: ref };
}
