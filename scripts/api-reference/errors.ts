import { readFileSync } from 'node:fs';
import type { ContractComments } from './contract-comments.ts';

/** The HTTP status of an error code by docs/errors.md; undefined when it is no code. */
export function statusOf(code: string): number | undefined {
  return documentedCodes().get(code);
}

let codes: Map<string, number> | undefined;

/** The tables of docs/errors.md: HTTP statuses by error code. A test of the edge holds them to the code. */
export function documentedCodes(): ReadonlyMap<string, number> {
  if (codes !== undefined) return codes;
  codes = new Map();
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  for (const [, status, cell = ''] of page.matchAll(/^\| (\d{3}) +\| ([^|]*)/gm))
    for (const [, code = ''] of cell.matchAll(/`([A-Z_]+)`/g)) codes.set(code, Number(status));
  // An OAuth2 error has its name in lower case there (docs/errors.md#oauth2-errors).
  for (const [, name = '', status] of page.matchAll(/^\| `([a-z][a-z_]+)` +\| (\d{3}) +\|/gm))
    codes.set(name.toUpperCase(), Number(status));
  return codes;
}

/**
 * What an RPC's comment says after "Errors:", each on its own, such as `UNKNOWN_MESSAGE` or
 * `INVALID_FORM_BODY (name)`. "those of chat's AuthorizeWebhooks" is replaced by them.
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

/** At semicolons, and at commas before another code, that stand in no parentheses. */
function splitOutside(text: string): string[] {
  return text.split(/(?:;|,(?=\s*[A-Z][A-Z_]{5,}\b))\s*(?![^()]*\))/);
}
