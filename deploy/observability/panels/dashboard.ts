import {
  type Dashboard,
  type Panel,
  type RowPanel,
  type VariableModel,
  VariableRefresh,
} from '@grafana/schema';
import { DATA_SOURCE, type PanelSource, panelOf } from './panel.ts';

export interface DashboardSource {
  /** The name of the file, and the end of the dashboard's URL in Grafana. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A filter: the values of a metric's label, initially all. */
  readonly choices?: readonly Choice[];
  readonly rows: readonly Row[];
}

export interface Choice {
  /** The label, and the variable: $job. */
  readonly label: string;
  readonly of: string;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly PanelSource[];
}

const WIDTH = 24;
const LINES = { w: 8, h: 8 };
const NUMBER = { w: 4, h: 4 };
const TAG = 'gatehouse';
const SCHEMA = 42;

/** A dashboard as Grafana reads it from a file. */
export function dashboardOf({ name, title, description, choices = [], rows }: DashboardSource): Dashboard {
  return {
    uid: `gatehouse-${name}`,
    title: `Gatehouse / ${title}`,
    description,
    tags: [TAG],
    schemaVersion: SCHEMA,
    editable: true,
    graphTooltip: 1,
    fiscalYearStartMonth: 0,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    links: [otherDashboards()],
    templating: { list: [prometheus(), ...choices.map(choice)] },
    panels: placed(rows),
  };
}

/** Rows below each other, and in each its panels from left to right. */
function placed(rows: readonly Row[]): (Panel | RowPanel)[] {
  const panels: (Panel | RowPanel)[] = [];
  let y = 0;
  for (const row of rows) {
    const title = { x: 0, y, w: WIDTH, h: 1 };
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: title,
      panels: [],
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const source of row.panels) {
      const { w, h } = source.number ? NUMBER : LINES;
      if (x + w > WIDTH) {
        y += height;
        x = 0;
        height = 0;
      }
      panels.push(panelOf(source, { id: panels.length + 1, x, y, w, h }));
      x += w;
      height = Math.max(height, h);
    }
    y += height;
  }
  return panels;
}

function prometheus(): VariableModel {
  return { type: 'datasource', name: 'datasource', label: 'Prometheus', query: 'prometheus' };
}

function choice({ label, of }: Choice): VariableModel {
  const query = `label_values(${of}, ${label})`;
  return {
    type: 'query',
    name: label,
    label,
    datasource: DATA_SOURCE,
    query: { refId: label, query },
    refresh: VariableRefresh.onTimeRangeChanged,
    multi: true,
    includeAll: true,
    allValue: '.+',
    current: { selected: true, text: 'All', value: '$__all' },
  };
}

function otherDashboards() {
  return {
    type: 'dashboards' as const,
    title: 'Gatehouse',
    tags: [TAG],
    asDropdown: true,
    includeVars: false,
    keepTime: true,
    targetBlank: false,
    icon: '',
    tooltip: '',
  };
}
