import { linkAt } from '../execution/untyped.ts';

/**
 * The first seven digits of a commit's ID, as code. What is no letter or digit is left out: it could end the code,
 * or the label of the link that the code is.
 */
export function shortSha(sha: string | undefined): string | undefined {
  const digits = sha
    ?.slice(0, ID_PREFIX)
    .replace(/[^0-9A-Za-z]/g, '')
    .slice(0, 7);
  return digits ? `\`${digits}\`` : undefined;
}

const ID_PREFIX = 64;

/** The page of a commit, below its repository's. */
export function commitUrl(home: string | undefined, sha: string | undefined): string | undefined {
  if (home === undefined || sha === undefined || !/^[0-9A-Za-z]{1,64}$/.test(sha)) return undefined;
  return linkAt({ url: `${home}/commit/${sha}` }, 'url');
}

export function markdownLink(label: string, url: string): string {
  return `[${label}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
