import { type JsonObject, textAt } from '../execution/json-object.ts';

/** The kind of the created or deleted ref: branch or tag. Undefined for any other. */
export function refTypeOf(payload: JsonObject): 'branch' | 'tag' | undefined {
  const type = textAt(payload, 'ref_type');
  return type === 'branch' || type === 'tag' ? type : undefined;
}

/** Splits a full ref, such as refs/heads/main, into kind and short name. */
export function splitRef(ref: string): { readonly noun: 'Branch' | 'Tag' | 'Ref'; readonly name: string } {
  if (ref.startsWith('refs/heads/')) return { noun: 'Branch', name: ref.slice('refs/heads/'.length) };
  if (ref.startsWith('refs/tags/')) return { noun: 'Tag', name: ref.slice('refs/tags/'.length) };
  return { noun: 'Ref', name: ref };
}
