import { describe, expect, it } from 'vitest';
import { messageFaults } from '../fixtures/message-faults.ts';
import { fieldOf, incidentOf, maintenanceOf, page } from './statuspage-fixtures.ts';

const at = (time: string) => `2026-05-01T${time}:00Z`;

describe('the description is the text of the latest update', () => {
  const described = (...incident_updates: unknown[]) => incidentOf({ incident_updates }).description;

  it('whatever its position', () => {
    const first = { markdown: 'first', created_at: at('10:00') };
    const second = { markdown: 'second', created_at: at('11:00') };
    const third = { markdown: 'third', created_at: at('12:00') };
    for (const updates of [
      [third, second, first],
      [first, third, second],
      [second, first, third],
    ])
      expect(described(...updates)).toBe('third');
  });

  it('compared as times, not as texts', () => {
    const early = { markdown: 'early', created_at: '2026-05-01T12:00:00+02:00' };
    const late = { markdown: 'late', created_at: '2026-05-01T11:00:00Z' };
    expect(described(late, early)).toBe('late');
    expect(described(early, late)).toBe('late');
  });

  it('the latest to the last digit', () => {
    const times = [
      '2026-05-01T10:00:00.1234567Z',
      '2026-05-01T12:00:00.12345678+02:00',
      '20260501T100000.1234',
    ];
    const incident_updates = times.map((created_at, index) => ({ created_at, body: `${index}` }));
    expect(incidentOf({ incident_updates }).description).toBe('1');
  });

  it('the first of those with the same time', () => {
    const same = ['a', 'b'].map((markdown) => ({ markdown, created_at: at('10:00') }));
    expect(described(...same)).toBe('a');
  });

  it('and one without a time is the oldest', () => {
    const dated = { markdown: 'dated', created_at: '1969-01-01T00:00:00Z' };
    for (const created_at of [undefined, null, 'soon', 1e12, '2026-02-30T00:00:00Z', '2026-05-01T25:00:00Z'])
      expect(described({ markdown: 'broken', created_at }, dated)).toBe('dated');
    expect(described({ markdown: 'a' }, { markdown: 'b' })).toBe('a');
  });

  it('in markdown, or else its body; an update without either has none', () => {
    const old = { markdown: 'old', created_at: at('09:00') };
    expect(described({ markdown: '**m**', body: 'b', created_at: at('10:00') })).toBe('**m**');
    expect(described({ markdown: ' ', body: 'b', created_at: at('10:00') })).toBe('b');
    expect(described(old, { created_at: at('10:00') })).toBeNull();
    expect(described(old, null, 7, ['x'], 'text')).toBe('old');
  });

  it('cut to 4,096 with the dots', () => {
    expect(described({ body: '🚪'.repeat(5000) })).toBe(`${'🚪'.repeat(4093)}...`);
    expect(described({ body: 'x'.repeat(4096) })).toBe('x'.repeat(4096));
  });

  it('of the section’s own updates', () => {
    const incident_updates = [{ body: 'of an incident' }];
    const maintenance_updates = [{ body: 'of a maintenance' }];
    expect(incidentOf({ incident_updates, maintenance_updates }).description).toBe('of an incident');
    expect(maintenanceOf({ incident_updates, maintenance_updates }).description).toBe('of a maintenance');
    expect(incidentOf({ incident_updates: { 0: { body: 'x' } } }).description).toBeNull();
  });
});

describe('the title is the name', () => {
  it('unchanged, cut to 256 with the dots', () => {
    expect(incidentOf({ name: ' Slow ' }).title).toBe(' Slow ');
    expect(incidentOf({ name: 'x'.repeat(256) }).title).toBe('x'.repeat(256));
    expect(maintenanceOf({ name: '🚪'.repeat(257) }).title).toBe(`${'🚪'.repeat(253)}...`);
  });

  it('without characters that cannot be stored', () => {
    expect(incidentOf({ name: 'a\0b\ud800' }).title).toBe('ab\ufffd');
  });

  it('with bidirectional marks unchanged', () => {
    expect(incidentOf({ name: '\u202egnp.exe' }).title).toBe('\u202egnp.exe');
  });
});

describe('the link', () => {
  it('is the URL of the item, or else of the page', () => {
    expect(incidentOf({ url: 'https://status.test/1' }, { page }).url).toBe('https://status.test/1');
    expect(incidentOf({}, { page }).url).toBe('https://status.test/');
    expect(incidentOf({}).url).toBeNull();
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//https://x.test',
    'data:text/html,x',
    'ftp://status.test/1',
    '//status.test/1',
    'https://',
    'https://a b',
    `https://status.test/${'x'.repeat(2048)}`,
    7,
    ['https://status.test'],
  ])('is http or https: %s is ignored', (url) => {
    expect(maintenanceOf({ url }, { page }).url).toBe('https://status.test/');
    expect(maintenanceOf({}, { page: { url } }).url).toBeNull();
  });
});

describe('affected components', () => {
  const affected = (incident: object) => fieldOf(incidentOf(incident), 'Affected components');
  const disk = { name: 'Disk', status: 'partial_outage' };

  it('have a line each, with a hyphen if there are several', () => {
    expect(affected({ components: [disk] })).toBe('Disk (partial outage)');
    expect(affected({ components: [disk, { name: 'Net' }, { name: 'DNS', status: 'Slow-ish' }] })).toBe(
      '- Disk (partial outage)\n- Net\n- DNS (Slow-ish)',
    );
  });

  it('come from the latest update, or else the item, or else its components', () => {
    const latest = { created_at: at('12:00'), affected_components: [{ name: 'of the update' }] };
    const older = { created_at: at('10:00'), affected_components: [{ name: 'of an older one' }] };
    const own = { affected_components: [{ name: 'of the item' }], components: [{ name: 'component' }] };
    expect(affected({ ...own, incident_updates: [older, latest] })).toBe('of the update');
    for (const affected_components of [undefined, null, [], [null], [{ status: 'up' }], 'x', {}])
      expect(affected({ ...own, incident_updates: [older, { ...latest, affected_components }] })).toBe(
        'of the item',
      );
    expect(affected({ ...own, affected_components: [{}] })).toBe('component');
    expect(affected({ components: [] })).toBeUndefined();
  });

  it('have their new status', () => {
    const both = { name: 'Disk', old_status: 'operational', new_status: 'major_outage', status: 'up' };
    expect(affected({ components: [both] })).toBe('Disk (major outage)');
  });

  it('do not reorder other words', () => {
    const turned = { name: '\u202eksiD\u2066', status: 'up\u202e' };
    expect(affected({ components: [turned, { name: '\u202e' }] })).toBe('ksiD (all systems operational)');
  });

  it('stay on their lines', () => {
    expect(affected({ components: [{ name: ' Disk\n- Net ', status: 'a\r\nb' }, { name: 'DNS' }] })).toBe(
      '- Disk - Net (a b)\n- DNS',
    );
  });

  it('are cut to 1,024 with the dots, whatever their number', () => {
    const value = affected({ components: Array(10_000).fill(disk) }) ?? '';
    expect(value).toHaveLength(1024);
    expect(value).toMatch(/^- Disk \(partial outage\)\n- Disk .*\.\.\.$/s);
    expect(affected({ components: Array(10_000).fill({ name: 'x' }) })).toHaveLength(1024);
    expect(affected({ components: [{ name: 'x'.repeat(1025) }] })).toBe(`${'x'.repeat(1021)}...`);
  });
});

describe('the footer', () => {
  const footerOf = (page: unknown, backfilled?: unknown) =>
    incidentOf({ backfilled }, { page }).footer?.text ?? undefined;

  it('is the description of the page’s state, or else its indicator in words', () => {
    const status_indicator = 'major';
    expect(footerOf({ status_description: 'Partial outage', status_indicator })).toBe('Partial outage');
    expect(footerOf({ status_description: ' ', status_indicator })).toBe('Major');
    expect(footerOf({})).toBeUndefined();
    expect(footerOf('x')).toBeUndefined();
  });

  it.each([
    ['HASISSUES', 'Has issues'],
    ['UP', 'All systems operational'],
    ['under_maintenance', 'Under maintenance'],
    ['none', 'None'],
    ['CRITICAL', 'Critical'],
    ['partially_down', 'Partially down'],
    ['very--bad  indeed', 'Very bad indeed'],
    ['élevé', 'Élevé'],
    ['_-_', undefined],
    ['\u202eup', 'All systems operational'],
    ['\u202eo\nk', 'O k'],
    [7, undefined],
  ])('the indicator %s is %s', (status_indicator, text) => {
    expect(footerOf({ status_indicator })).toBe(text);
  });

  it('says whether it was backfilled', () => {
    expect(footerOf({ status_indicator: 'none' }, true)).toBe('None | Backfilled');
    expect(footerOf(undefined, true)).toBe('Backfilled');
    expect(maintenanceOf({ backfilled: true }, { page }).footer?.text).toBe('All good | Backfilled');
    for (const other of [false, null, 'false', 1, {}]) expect(footerOf({}, other)).toBeUndefined();
  });
});

it('an embed over the limit is cut at its end, and keeps its title and description', () => {
  const embed = maintenanceOf(
    {
      name: 'n'.repeat(300),
      status: 's'.repeat(2000),
      start: at('10:00'),
      end: at('11:00'),
      components: [{ name: 'c'.repeat(2000) }],
      maintenance_updates: [{ body: 'd'.repeat(5000) }],
    },
    { page: { status_description: 'f'.repeat(3000) } },
  );
  expect(messageFaults({ embeds: [embed] })).toEqual([]);
  expect(embed.title).toHaveLength(256);
  expect(embed.description).toHaveLength(4096);
  expect(embed.fields.map(({ name }) => name)).toEqual(['Status', 'Window', 'Affected components']);
  expect(embed.footer).toBeNull();
});
