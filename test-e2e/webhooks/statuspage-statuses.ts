import { describe, expect, it } from 'vitest';
import type { Embed } from '../support/objects.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';

const NEUTRAL = 0x5c6bc0;
const OPERATIONAL = 0x3ecf8e;
const MAINTENANCE = 0x3b82f6;
const DEGRADED = 0xf5a623;
const PARTIAL = 0xf97316;
const MAJOR = 0xe23c39;

/** A status as a page may write it, its label and its colour. */
const STATUSES: [string, string, number][] = [
  ['up', 'All systems operational', NEUTRAL],
  ['has_issues', 'Has issues', NEUTRAL],
  ['HASISSUES', 'Has issues', NEUTRAL],
  ['operational', 'Operational', OPERATIONAL],
  ['under_maintenance', 'Under maintenance', MAINTENANCE],
  ['Under Maintenance', 'Under maintenance', MAINTENANCE],
  ['degraded_performance', 'Degraded performance', DEGRADED],
  ['DEGRADEDPERFORMANCE', 'Degraded performance', DEGRADED],
  ['de-graded 1 per.form2ance', 'Degraded performance', DEGRADED],
  ['partial_outage', 'Partial outage', PARTIAL],
  ['major_outage', 'Major outage', MAJOR],
  ['investigating', 'Investigating', MAJOR],
  ['identified', 'Identified', PARTIAL],
  ['monitoring', 'Monitoring', DEGRADED],
  ['resolved', 'Resolved', OPERATIONAL],
  ['NOTSTARTEDYET', 'Scheduled', MAINTENANCE],
  ['not_started_yet', 'Scheduled', MAINTENANCE],
  ['planned', 'Planned', MAINTENANCE],
  ['in_progress', 'In progress', MAINTENANCE],
  ['completed', 'Completed', OPERATIONAL],
  ['postmortem', 'postmortem', NEUTRAL],
  ['__proto__', '__proto__', NEUTRAL],
  ['ÜP', 'ÜP', NEUTRAL],
];

export function statuspageStatuses(suite: TestSuite): void {
  describe('a status of a status page', () => {
    it('has its label and its colour, on incidents, maintenances and components', async () => {
      const { path, messages } = await openHook(suite);
      const shown = async (body: object): Promise<Embed> => {
        expect((await suite.api.post(`${path}/statuspage`, body)).status).toBe(204);
        const [embed] = (await messages())[0]?.embeds ?? [];
        if (embed === undefined) throw new Error('no embed');
        return embed;
      };
      // "ÜP" is "P" once everything but A to Z is gone: a value of no row.
      for (const [status, label, color] of STATUSES) {
        for (const kind of ['incident', 'maintenance']) {
          const { fields, color: found } = await shown({ [kind]: { name: 'n', status } });
          expect([found, fields], `${kind} ${status}`).toEqual([
            color,
            [{ name: 'Status', value: label, inline: true }],
          ]);
        }
        const component = await shown({
          component_update: { new_status: status },
          component: { name: 'Disk' },
        });
        expect([component.title, component.color], status).toEqual([`Disk - ${label}`, color]);
      }
    });

    it('that is missing is maintenance’s colour on a maintenance, and no field', async () => {
      const { path, messages } = await openHook(suite);
      for (const status of [undefined, null, '', ' ']) {
        await suite.api.post(`${path}/statuspage`, { maintenance: { name: 'n', status } });
        const [embed] = (await messages())[0]?.embeds ?? [];
        expect(embed).toMatchObject({ title: 'n', color: MAINTENANCE });
        expect(embed?.fields ?? []).toEqual([]);
      }
    });
  });
}
