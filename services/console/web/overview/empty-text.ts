/** What an empty list says: `text`, unless its service does not answer. Then nobody knows whether it is empty. */
export function emptyText(unavailable: readonly string[] | undefined, service: string, text: string): string {
  return unavailable?.includes(service) ? `Unknown: ${service} does not answer.` : text;
}
