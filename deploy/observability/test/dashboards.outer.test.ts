import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dashboardOf } from '../panels/dashboard.ts';
import { DASHBOARDS } from '../panels/dashboards.ts';
import { promtool, promtoolIsMissing } from './promtool.ts';

const FOLDER = new URL('../dashboards/', import.meta.url);

it('every dashboard has a file, and every file a dashboard', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(DASHBOARDS.map(({ name }) => `${name}.json`).sort());
});

describe.each(DASHBOARDS)('the dashboard $title', (source) => {
  it('is up to date with npm run generate', () => {
    const written = JSON.parse(readFileSync(new URL(`${source.name}.json`, FOLDER), 'utf8'));
    expect(written).toEqual(dashboardOf(source));
  });

  it('has panels with unique IDs that do not overlap', () => {
    const { panels = [] } = dashboardOf(source);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } = { x: 0, y: 0, w: 0, h: 0 } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
  });

  it.skipIf(promtoolIsMissing)('has only valid queries', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dashboards-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const queries = source.rows.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries));
    const rules = queries.map(([expr], index) => ({
      record: `panel:${index}`,
      expr: withoutVariables(expr),
    }));
    const file = join(folder, 'rules.json');
    writeFileSync(file, JSON.stringify({ groups: [{ name: source.name, rules }] }));
    expect(await promtool('check', 'rules', file)).toContain(`SUCCESS: ${queries.length} rules found`);
  });
});

function withoutVariables(expression: string): string {
  return expression.replaceAll('$__rate_interval', '1m');
}
