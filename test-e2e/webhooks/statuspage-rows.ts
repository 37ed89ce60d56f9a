import { describe, expect, it } from 'vitest';
import type { Embed } from '../support/objects.ts';
import { png } from '../support/png.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';

const LINK = 'https://status.example/i/1';
const HOME = 'https://status.example/';
const unix = (time: string) => Date.parse(time) / 1000;
const [NINE, TEN, ELEVEN] = ['2026-05-01T09:00:00Z', '2026-05-01T10:00:00Z', '2026-05-01T11:00:00Z'];

export function statuspageRows(suite: TestSuite): void {
  async function open() {
    const { path, messages, webhook } = await openHook(suite, {
      name: 'Build',
      avatar: png(2, 6).toString('base64'),
    });
    const notify = async (body: unknown) => {
      const reply = await suite.api.post(`${path}/statuspage`, body);
      expect([reply.status, reply.text], JSON.stringify(body)).toEqual([204, '']);
    };
    const shown = async (body: unknown): Promise<Embed> => {
      const before = (await messages()).length;
      await notify(body);
      const [message, ...more] = await messages();
      expect(more, JSON.stringify(body)).toHaveLength(before);
      expect(message).toMatchObject({
        content: '',
        author: { id: webhook.id, username: 'Status page', avatar: null, bot: true },
      });
      expect(message?.embeds).toHaveLength(1);
      return message?.embeds[0] ?? { type: 'none' };
    };
    /** An incident of a name and these members. */
    const incident = (more: object, page?: object) => shown({ page, incident: { name: 'n', ...more } });
    const maintenance = (more: object) => shown({ maintenance: { name: 'n', ...more } });
    return { notify, shown, incident, maintenance, messages };
  }

  describe('a status page’s notification', () => {
    it('chooses one section, and falls through from none', async () => {
      const { notify, shown, messages } = await open();
      const component = { name: 'Disk', status: 'operational' };
      const all = { incident: { name: 'I' }, maintenance: { name: 'M' }, component };
      expect((await shown(all)).title).toBe('I');
      expect((await shown({ ...all, incident: null })).title).toBe('M');
      expect((await shown({ ...all, incident: null, maintenance: null })).title).toBe('Disk - Operational');
      const before = (await messages()).length;
      for (const nameless of [{}, { name: '' }, { name: ' ' }, { name: null }, { status: 'resolved' }]) {
        await notify({ ...all, incident: nameless });
        await notify({ ...all, incident: null, maintenance: nameless });
      }
      for (const none of [{}, { page: { url: HOME } }, { component: null, component_update: null }])
        await notify(none);
      for (const none of ['', '{', '[]', 'null', '"x"', 'payload={', '\0']) await notify(none);
      expect(await messages()).toHaveLength(before);
    });

    it('has the name as its title, cut to 256', async () => {
      const { incident, shown } = await open();
      expect((await incident({})).title).toBe('n');
      const long = 'é'.repeat(257);
      expect((await shown({ incident: { name: long.slice(1) } })).title).toBe(long.slice(1));
      expect((await shown({ maintenance: { name: long } })).title).toBe(`${long.slice(4)}...`);
    });

    it('links the item, else the page, and only to the web', async () => {
      const { incident, shown } = await open();
      expect((await incident({ url: LINK }, { url: HOME })).url).toBe(LINK);
      expect((await incident({}, { url: HOME })).url).toBe(HOME);
      expect((await incident({ url: 'ftp://x.example/' }, { url: HOME })).url).toBe(HOME);
      expect(await incident({ url: 'javascript:x' }, { url: 'x' })).not.toHaveProperty('url');
      const component = { name: 'Disk', url: LINK };
      expect((await shown({ component, page: { url: HOME } })).url).toBe(HOME);
      expect(await shown({ component })).not.toHaveProperty('url');
    });

    it('tells the latest update, wherever it stands in the list', async () => {
      const { incident, maintenance } = await open();
      const updates = [
        { created_at: TEN, markdown: 'ten' },
        { created_at: ELEVEN, markdown: 'eleven', body: 'no' },
        { created_at: NINE, markdown: 'nine' },
      ];
      for (const told of [
        await incident({ incident_updates: updates, updated_at: NINE }),
        await maintenance({ maintenance_updates: updates, updated_at: NINE }),
      ]) {
        expect(told.description).toBe('eleven');
        expect(Date.parse(told.timestamp ?? '')).toBe(Date.parse(ELEVEN));
      }
      const zoned = [
        { created_at: '2026-05-01T12:30:00+02:00', markdown: 'half past ten' },
        { created_at: ELEVEN, markdown: 'eleven' },
      ];
      expect((await incident({ incident_updates: zoned })).description).toBe('eleven');
      expect((await incident({ incident_updates: [{ body: 'b' }] })).description).toBe('b');
      expect(
        (await incident({ incident_updates: [null, 5, { created_at: NINE, markdown: 'x' }] })).description,
      ).toBe('x');
      const long = [{ markdown: 'é'.repeat(4097) }];
      expect((await incident({ incident_updates: long })).description).toBe(`${'é'.repeat(4093)}...`);
      for (const none of [[], null, {}, 'x', [{}]])
        expect(await incident({ incident_updates: none })).not.toHaveProperty('description');
    });

    it('is of the time of the update, else of the item’s update, else of its creation', async () => {
      const { incident } = await open();
      const at = async (more: object) => (await incident(more)).timestamp ?? 'none';
      const same = (time: string) => new Date(time).toISOString();
      expect(await at({ incident_updates: [{ body: 'x' }], updated_at: TEN, created_at: NINE })).toBe(
        same(TEN),
      );
      expect(await at({ created_at: NINE })).toBe(same(NINE));
      expect(await at({ updated_at: 'soon', created_at: NINE })).toBe(same(NINE));
      expect(await at({})).toBe('none');
    });

    it('has the window of a maintenance, of both ends or one', async () => {
      const { maintenance, incident } = await open();
      const [start, end] = [`<t:${unix(NINE)}:F>`, `<t:${unix(TEN)}:F>`];
      const window = async (more: object) =>
        (await maintenance(more)).fields?.find(({ name }) => name === 'Window')?.value;
      for (const [from, to] of [
        ['start', 'end'],
        ['maintenance_start_date', 'maintenance_end_date'],
        ['scheduled_for', 'scheduled_until'],
      ] as const) {
        expect(await window({ [from]: NINE, [to]: TEN }), from).toBe(`${start}-${end}`);
        expect(await window({ [from]: NINE })).toBe(start);
        expect(await window({ [to]: TEN })).toBe(end);
      }
      expect(await window({ start: NINE, duration: 60 })).toBe(`${start}-${end}`);
      expect(await window({ start: NINE, duration: '60' })).toBe(`${start}-${end}`);
      for (const none of [{}, { start: 'soon' }, { duration: 60 }, { start: null, end: {} }])
        expect(await window(none)).toBeUndefined();
      const { fields = [] } = await incident({ start: NINE, end: TEN });
      expect(fields.map(({ name }) => name)).not.toContain('Window');
    });

    it('names the components that are affected', async () => {
      const { incident } = await open();
      const affected = async (more: object) =>
        (await incident(more)).fields?.find(({ name }) => name === 'Affected components')?.value;
      const of = (...names: string[]) => names.map((name) => ({ name, status: 'MAJOROUTAGE' }));
      const updates = [{ created_at: NINE, affected_components: of('update') }];
      const rest = { affected_components: of('item'), components: of('all') };
      expect(await affected({ incident_updates: updates, ...rest })).toBe('update (major outage)');
      expect(await affected(rest)).toBe('item (major outage)');
      expect(await affected({ components: of('all') })).toBe('all (major outage)');
      expect(await affected({ components: of('a', 'b') })).toBe('- a (major outage)\n- b (major outage)');
      expect(await affected({ components: of('x'.repeat(2000)) })).toHaveLength(1024);
      for (const none of [{}, { components: [] }, { components: {} }, { components: [null, 5] }])
        expect(await affected(none)).toBeUndefined();
    });

    it('ends in what the page says of itself', async () => {
      const { incident, shown } = await open();
      const footer = async (page: object, more: object = {}) => (await incident(more, page)).footer?.text;
      expect(await footer({ status_description: 'All fine', status_indicator: 'none' })).toBe('All fine');
      expect(await footer({ status_description: 'All fine' }, { backfilled: true })).toBe(
        'All fine | Backfilled',
      );
      expect(await footer({}, { backfilled: true })).toBe('Backfilled');
      expect(await footer({}, { backfilled: false })).toBeUndefined();
      expect(await footer({ status_indicator: 'major_outage' })).toMatch(/^major outage$/i);
      const component = await shown({
        component: { name: 'Disk', backfilled: true },
        page: { status_description: 'All fine' },
      });
      expect(component.footer?.text).toBe('All fine');
    });
  });

  describe('a component’s transition', () => {
    it('is named by the component and its new status, without description or fields', async () => {
      const { shown } = await open();
      const update = { new_status: 'resolved', old_status: 'monitoring', created_at: TEN };
      const embed = await shown({
        component_update: update,
        component: { name: 'Disk', status: 'up', created_at: NINE },
      });
      expect(embed.title).toBe('Disk - Resolved');
      expect(Date.parse(embed.timestamp ?? '')).toBe(Date.parse(TEN));
      expect(embed).not.toHaveProperty('description');
      expect(embed.fields ?? []).toEqual([]);
      expect((await shown({ component: { status: 'up', created_at: NINE } })).title).toBe(
        'A component - All systems operational',
      );
      expect((await shown({ component: { name: 'Disk' } })).title).toBe('Disk - updated');
      expect((await shown({ component: {} })).title).toBe('A component - updated');
      expect((await shown({ component_update: {} })).title).toBe('A component - updated');
      const later = await shown({ component_update: {}, component: { name: 'Disk', created_at: NINE } });
      expect(Date.parse(later.timestamp ?? '')).toBe(Date.parse(NINE));
    });
  });
}
