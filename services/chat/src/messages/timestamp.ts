const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/**
 * Reads an ISO 8601 date, or date and time, and gives it in UTC with milliseconds.
 * Without a time it is midnight, without a zone UTC. Undefined for any other text, and for a day or
 * time that does not exist.
 */
export function normalizeTimestamp(text: string): string | undefined {
  const match = ISO_8601.exec(text);
  if (match === null) return undefined;
  const [, date, hours = '00', minutes = '00', seconds = '00', fraction = '', sign] = match;
  const [, , , , , , , zoneHours = '00', zoneMinutes = '00'] = match;
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined;

  const local = `${date}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const localMs = Date.parse(local);
  // Date.parse turns 30 February into 1 March.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString() !== local) return undefined;

  const offsetMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  const time = new Date(localMs + (sign === '-' ? offsetMs : -offsetMs)).toISOString();
  return time.length === local.length ? time : undefined; // an offset may lead out of the years 0-9999
}
