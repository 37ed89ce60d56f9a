/** What to add to a message when services have not confirmed an action yet; empty if all have. */
export function pendingText(services: readonly string[]): string {
  if (services.length === 0) return '';
  const names = new Intl.ListFormat('en').format(services);
  return ` ${names} ${services.length === 1 ? 'has' : 'have'} not confirmed it yet, and will learn of it as soon as possible.`;
}
