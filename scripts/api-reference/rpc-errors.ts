import type { ContractComments } from './contract-comments.ts';

/**
 * The items of an RPC's comment after "Errors:", such as `UNKNOWN_MESSAGE` or `INVALID_FORM_BODY (name)`. "those of
 * chat's AuthorizeWebhooks" is replaced by them.
 */
export function errorsOf(comments: ContractComments, rpc: string): string[] {
  const text = comments.get(rpc)?.split(/^Errors: /m)[1];
  if (text === undefined) return [];
  return splitOutside(text.replaceAll('\n', ' ').replace(/\.$/, '')).flatMap((one) => {
    const [, service, other] = /^those of (\w+)'s (\w+)$/.exec(one) ?? [];
    if (service === undefined) return [one];
    const known = [...comments.keys()].find(
      (name) => name.startsWith(`gatehouse.${service}.`) && name.endsWith(`.${other}`),
    );
    if (known === undefined) throw new Error(`${rpc}: ${one}: there is no such RPC`);
    return errorsOf(comments, known);
  });
}

/** Splits at semicolons, and at commas before another code, outside of parentheses. */
function splitOutside(text: string): string[] {
  return text.split(/(?:;|,(?=\s*[A-Z][A-Z_]{5,}\b))\s*(?![^()]*\))/);
}
