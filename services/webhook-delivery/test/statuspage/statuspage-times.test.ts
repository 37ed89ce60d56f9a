import { describe, expect, it } from 'vitest';
import { fieldOf, incidentOf, maintenanceOf } from './statuspage-fixtures.ts';

describe('the time', () => {
  const update = { created_at: '2026-05-01T12:30:00.123456+02:00' };
  const item = { updated_at: '2026-04-01', created_at: '2026-03-01 08:00:00' };

  it('is the creation of the latest update, or else the update of the item, or else its creation', () => {
    expect(incidentOf({ ...item, incident_updates: [update] }).timestamp).toBe('2026-05-01T10:30:00.123Z');
    expect(incidentOf({ ...item, incident_updates: [{}] }).timestamp).toBe('2026-04-01T00:00:00.000Z');
    expect(incidentOf({ ...item, updated_at: 'never' }).timestamp).toBe('2026-03-01T08:00:00.000Z');
    expect(incidentOf({}).timestamp).toBeNull();
  });

  it.each([
    ['2026-05-01T10:00Z', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01t10:00:00z', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01 10:00:00 UTC', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T10:00:00.5-0330', '2026-05-01T13:30:00.500Z'],
    ['2026-05-01T10:00:00+09', '2026-05-01T01:00:00.000Z'],
    ['2026-W18-5T24', '2026-05-02T00:00:00.000Z'],
    [' 2026-05-01T10:00:00.999999999Z ', '2026-05-01T10:00:00.999Z'],
  ])('%s is %s', (created_at, timestamp) => {
    expect(incidentOf({ created_at }).timestamp).toBe(timestamp);
  });

  it.each([
    '',
    'yesterday',
    '1',
    'Fri May 01 2026',
    '05/01/2026',
    '2026-5-1',
    '2026-13-01',
    '2026-02-29',
    '2026-05-01T24:00:01Z',
    '2026-05-01T10:00:61Z',
    '2026-05-01T10:00:00+24:00',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+010000-01-01T00:00:00Z',
    1777629600,
    true,
  ])('%s is not a time', (created_at) => {
    expect(incidentOf({ created_at }).timestamp).toBeNull();
  });
});

describe('the window of a maintenance', () => {
  const windowOf = (maintenance: object) => fieldOf(maintenanceOf(maintenance), 'Window');
  const start = '2026-05-01T10:00:00Z';
  const end = '2026-05-01T12:00:00.900Z';
  const from = '<t:1777629600:F>';
  const to = '<t:1777636800:F>';

  it.each([
    ['start', 'end'],
    ['maintenance_start_date', 'maintenance_end_date'],
    ['scheduled_for', 'scheduled_until'],
    ['start', 'scheduled_until'],
  ])('is read from %s and %s, one of which may be missing', (first, last) => {
    expect(windowOf({ [first]: start, [last]: end })).toBe(`${from}-${to}`);
    expect(windowOf({ [first]: start })).toBe(from);
    expect(windowOf({ [last]: end })).toBe(to);
    expect(windowOf({ [first]: start, [last]: 'soon' })).toBe(from);
  });

  it.each([120, '120', ' 120 ', '120.0'])('may have a duration in minutes: %j', (duration) => {
    for (const name of ['start', 'maintenance_start_date', 'scheduled_for'])
      expect(windowOf({ [name]: start, duration })).toBe(`${from}-${to}`);
  });

  it('has the given end rather than the duration', () => {
    expect(windowOf({ start, end, duration: 1 })).toBe(`${from}-${to}`);
  });

  it.each([
    0,
    -5,
    '',
    'PT2H',
    null,
    '1e9',
    1e300,
    Number.MAX_SAFE_INTEGER,
    999_999_999_999,
    [120],
    '9'.repeat(40),
  ])('ignores the duration %j', (duration) => {
    expect(windowOf({ start, duration })).toBe(from);
  });

  it('ignores a duration without a start, and an end beyond the year 9999', () => {
    expect(windowOf({ duration: 120 })).toBeUndefined();
    expect(windowOf({ start: '9999-12-31T23:00:00Z', duration: 120 })).toBe('<t:253402297200:F>');
  });

  it('uses the next member if one is malformed', () => {
    expect(windowOf({ start: 'soon', scheduled_for: start })).toBe(from);
  });

  it('may be before 1970', () => {
    expect(windowOf({ start: '1969-12-31T23:59:58.500Z' })).toBe('<t:-2:F>');
  });

  it('is not inline, between status and components, and absent for incidents', () => {
    const item = { status: 'planned', start, end, components: [{ name: 'Disk' }] };
    expect(maintenanceOf(item).fields).toEqual([
      { name: 'Status', value: 'Planned', inline: true },
      { name: 'Window', value: `${from}-${to}`, inline: false },
      { name: 'Affected components', value: 'Disk', inline: false },
    ]);
    expect(fieldOf(incidentOf(item), 'Window')).toBeUndefined();
  });
});
