import { describe, expect, it } from 'vitest';
import { embedOf, incidentOf, maintenanceOf, nothingOf, page } from './statuspage-fixtures.ts';

const incident = { name: 'Slow searches' };
const maintenance = { name: 'New disks' };
const component = { name: 'Search' };
const titleOf = (payload: object) => embedOf(payload).title;

describe('one section is chosen, the first that is present', () => {
  it('the incident, then the maintenance, then the component', () => {
    const component_update = { new_status: 'up' };
    expect(titleOf({ component_update, component, maintenance, incident })).toBe('Slow searches');
    expect(titleOf({ component_update, component, maintenance })).toBe('New disks');
    expect(titleOf({ component_update, component })).toBe('Search - All systems operational');
    expect(titleOf({ component_update })).toBe('A component - All systems operational');
    expect(titleOf({ component })).toBe('Search - updated');
  });

  it.each([{}, { name: '' }, { name: ' \n' }, { name: null }, { name: 7 }, { name: ['x'] }, { name: '\0' }])(
    'and renders nothing without a name, whatever the others have: %j',
    (nameless) => {
      expect(nothingOf({ incident: nameless, maintenance, component })).toBe('name_missing');
      expect(nothingOf({ maintenance: nameless, component })).toBe('name_missing');
    },
  );

  it.each([false, true, 0, 7, '', 'Slow searches', [], [incident]])(
    'and one of a wrong type is present, and has no name: %j',
    (wrong) => {
      expect(nothingOf({ incident: wrong, maintenance, component })).toBe('name_missing');
      expect(nothingOf({ maintenance: wrong, component })).toBe('name_missing');
    },
  );

  it('and null is absent', () => {
    expect(titleOf({ incident: null, maintenance: null, component_update: null, component })).toBe(
      'Search - updated',
    );
    expect(titleOf({ incident: null, maintenance })).toBe('New disks');
  });

  it.each([{}, { page }, { component: null }, { component: 'x' }, { component_update: 7, component: [] }])(
    'and nothing is rendered without any: %j',
    (payload) => {
      expect(nothingOf(payload)).toBe('section_missing');
    },
  );

  it('and an inherited member is absent', () => {
    const body = '{"__proto__":{"incident":{"name":"x"}},"constructor":{"name":"y"}}';
    expect(nothingOf(JSON.parse(body))).toBe('section_missing');
    expect(nothingOf(Object.create({ incident }))).toBe('section_missing');
  });
});

describe('the status', () => {
  const NEUTRAL = 0x5c6bc0;
  it.each<[status: string, label: string, color: number]>([
    ['UP', 'All systems operational', NEUTRAL],
    ['has_issues', 'Has issues', NEUTRAL],
    ['operational', 'Operational', 0x3ecf8e],
    ['under_maintenance', 'Under maintenance', 0x3b82f6],
    ['degraded_performance', 'Degraded performance', 0xf5a623],
    ['Degraded Performance!', 'Degraded performance', 0xf5a623],
    ['partial-outage', 'Partial outage', 0xf97316],
    ['MajorOutage', 'Major outage', 0xe23c39],
    ['investigating', 'Investigating', 0xe23c39],
    ['identified', 'Identified', 0xf97316],
    ['monitoring', 'Monitoring', 0xf5a623],
    ['resolved', 'Resolved', 0x3ecf8e],
    ['not_started_yet', 'Scheduled', 0x3b82f6],
    ['PLANNED', 'Planned', 0x3b82f6],
    ['in_progress', 'In progress', 0x3b82f6],
    [' completed ', 'Completed', 0x3ecf8e],
    ['de-graded 1 per.form2ance', 'Degraded performance', 0xf5a623],
    // Its ASCII letters are "P", which is the key of no status.
    ['ÜP', 'ÜP', NEUTRAL],
    ['minor_outage', 'minor_outage', NEUTRAL],
    ['scheduled', 'scheduled', NEUTRAL],
    ['復旧', '復旧', NEUTRAL],
    ['123', '123', NEUTRAL],
    ['constructor', 'constructor', NEUTRAL],
    ['__proto__', '__proto__', NEUTRAL],
  ])('%s is "%s" in its color, on an incident, a maintenance and a component', (status, label, color) => {
    const field = { name: 'Status', value: label, inline: true };
    expect(incidentOf({ status })).toMatchObject({ color, fields: [field] });
    expect(maintenanceOf({ status })).toMatchObject({ color, fields: [field] });
    const component_update = { old_status: 'operational', new_status: status };
    expect(embedOf({ component_update, component })).toMatchObject({ title: `Search - ${label}`, color });
    expect(embedOf({ component: { ...component, status } })).toMatchObject({
      title: `Search - ${label}`,
      color,
    });
  });

  it.each([undefined, null, '', ' ', 7, ['resolved'], {}])(
    'without a value has no field, and the color of its section: %j',
    (status) => {
      expect(incidentOf({ status })).toMatchObject({ color: NEUTRAL, fields: [] });
      expect(maintenanceOf({ status })).toMatchObject({ color: 0x3b82f6, fields: [] });
      expect(embedOf({ component: { status } })).toMatchObject({
        title: 'A component - updated',
        color: NEUTRAL,
      });
    },
  );
});

describe('a component transition', () => {
  it('has name, new status, link, footer and time, and nothing else', () => {
    const payload = {
      page,
      component_update: { new_status: 'major_outage', created_at: '2026-05-01T10:00:00Z' },
      component: {
        name: 'Search',
        status: 'operational',
        created_at: '2020-01-01T00:00:00Z',
        url: 'https://x.test',
        backfilled: true,
      },
    };
    expect(embedOf({ ...payload, backfilled: true })).toEqual({
      title: 'Search - Major outage',
      url: 'https://status.test/',
      color: 0xe23c39,
      description: null,
      author: null,
      fields: [],
      footer: { text: 'All good' },
      timestamp: '2026-05-01T10:00:00.000Z',
    });
  });

  it('takes members that the update lacks from the component', () => {
    const component = { name: 'Search', status: 'monitoring', created_at: '2020-01-01T00:00:00Z' };
    expect(embedOf({ component_update: { new_status: ' ', created_at: 'x' }, component })).toMatchObject({
      title: 'Search - Monitoring',
      timestamp: '2020-01-01T00:00:00.000Z',
    });
  });

  it('shows the available parts', () => {
    const empty = {
      title: 'A component - updated',
      url: null,
      color: 0x5c6bc0,
      description: null,
      author: null,
      fields: [],
      footer: null,
      timestamp: null,
    };
    expect(embedOf({ component: {} })).toEqual(empty);
    expect(embedOf({ component_update: {} })).toEqual(empty);
  });

  it('has a title of one line, without characters that reorder it', () => {
    const titleOf = (name: string, status: string) => embedOf({ component: { name, status } }).title;
    expect(titleOf(' Se\u202earch\r\n2 ', '\u2067odd\nly ')).toBe('Search 2 - odd ly');
    expect(titleOf('\u202e', ' \u2066')).toBe('A component - updated');
  });

  it('has a title of at most 256', () => {
    const title = embedOf({ component: { name: '🚪'.repeat(300), status: 'up' } }).title;
    expect(title).toBe(`${'🚪'.repeat(253)}...`);
  });
});
