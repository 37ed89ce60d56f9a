const WORDS: Readonly<Record<string, string>> = {
  identify: 'your name',
  email: 'your e-mail address',
  guilds: 'the guilds you are in',
  connections: 'your accounts on other services',
};

/** What an application that holds these scopes may see, in a sentence (docs/oauth2.md#scopes). */
export function grantedInWords(scopes: readonly string[]): string {
  // `bot` lets an application see nothing: its bot is in a guild of its own right.
  const seen = [...scopes]
    .sort(byImportance)
    .flatMap((scope) => (scope === 'bot' ? [] : (WORDS[scope] ?? scope)));
  if (seen.length === 0) return 'It sees nothing of your account.';
  return `It may see ${new Intl.ListFormat('en').format(seen)}.`;
}

function byImportance(one: string, other: string): number {
  return rank(one) - rank(other);
}

function rank(scope: string): number {
  const place = Object.keys(WORDS).indexOf(scope);
  return place === -1 ? Number.MAX_SAFE_INTEGER : place;
}
