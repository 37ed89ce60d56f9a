export interface Changeset {
  /** The text for users: a paragraph or a list. */
  readonly summary: string;
  readonly releases: readonly { readonly type: 'major' | 'minor' | 'patch' | 'none' }[];
}

const HEADINGS = { major: 'Breaking', minor: 'New', patch: 'Fixed' } as const;

/** CHANGELOG.md with an entry for a version on top of the earlier ones. */
export function withEntry(changelog: string, version: string, changesets: readonly Changeset[]): string {
  const [title = '', ...entries] = changelog.split(/^(?=## )/m);
  return [title, entryOf(version, changesets), ...entries].join('');
}

function entryOf(version: string, changesets: readonly Changeset[]): string {
  const sections = Object.entries(HEADINGS).flatMap(([type, heading]) => {
    const texts = changesets.filter((one) => one.releases.some((release) => release.type === type));
    return texts.length === 0
      ? []
      : [`### ${heading}\n\n${texts.map(({ summary }) => summary.trim()).join('\n\n')}\n`];
  });
  return `## ${version}\n\n${sections.join('\n')}\n`;
}
