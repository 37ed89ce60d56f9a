import { linkAt } from '../execution/json-object.ts';

/**
 * The first seven digits of a commit ID, as code. Characters other than letters and digits are removed: they could end
 * the code span or the link label around it.
 */
export function shortSha(sha: string | undefined): string | undefined {
  const digits = sha
    ?.slice(0, MAX_ID_UNITS)
    .replace(/[^0-9A-Za-z]/g, '')
    .slice(0, 7);
  return digits ? `\`${digits}\`` : undefined;
}

const MAX_ID_UNITS = 64;

/** The URL of a commit's page in its repository. */
export function commitUrl(repositoryUrl: string | undefined, sha: string | undefined): string | undefined {
  if (repositoryUrl === undefined || sha === undefined || !/^[0-9A-Za-z]{1,64}$/.test(sha)) return undefined;
  return linkAt({ url: `${repositoryUrl}/commit/${sha}` }, 'url');
}

export function markdownLink(label: string, url: string): string {
  return `[${label}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
