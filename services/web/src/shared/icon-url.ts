/** The address of the icon of a guild or an application. Undefined without one. */
export function iconUrl(id: string, icon: string | null | undefined): string | undefined {
  return icon ? `/media/icons/${id}/${icon}` : undefined;
}
