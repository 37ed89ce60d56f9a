import { type Panel, SortOrder, StackingMode, ThresholdsMode, TooltipDisplayMode } from '@grafana/schema';

/** A query, and the legend of its series: text, with labels as {{label}}. */
export type Query = readonly [expression: string, legend: string];

/** Grafana's unit of the values. */
export type Unit = 'short' | 'reqps' | 'ops' | 's' | 'bytes' | 'percentunit';

export interface PanelSource {
  readonly title: string;
  /** An explanation, if the title is not enough. */
  readonly description?: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Stacks the lines, as parts of a whole. */
  readonly stacked?: boolean;
  /** Shows only the last value. */
  readonly number?: boolean;
  /** Thresholds of yellow and red. */
  readonly warns?: readonly [yellow: number, red: number];
  /** Empty when all is well. */
  readonly often_empty?: boolean;
}

export interface Place {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The dashboard variable that selects the Prometheus. */
export const DATA_SOURCE = { type: 'prometheus', uid: `\${datasource}` };

/** A panel in Grafana's format. */
export function panelOf(source: PanelSource, { id, ...gridPos }: Place): Panel {
  const { title, description, unit, queries, number = false, stacked = false, warns } = source;
  return {
    id,
    type: number ? 'stat' : 'timeseries',
    title,
    ...(description !== undefined && { description }),
    gridPos,
    datasource: DATA_SOURCE,
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATA_SOURCE,
      editorMode: 'code',
      range: true,
      expr,
      legendFormat,
    })),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(warns && { thresholds: thresholds(warns) }),
        ...(!number && { custom: lines(stacked) }),
      },
      overrides: [],
    },
    options: number ? NUMBER : LINES,
  };
}

const NUMBER = {
  reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  colorMode: 'value',
  graphMode: 'area',
  textMode: 'auto',
};

const LINES = {
  legend: { showLegend: true, displayMode: 'list', placement: 'bottom', calcs: [] },
  tooltip: { mode: TooltipDisplayMode.Multi, sort: SortOrder.Descending },
};

function lines(stacked: boolean) {
  return {
    lineWidth: 1,
    fillOpacity: stacked ? 40 : 5,
    showPoints: 'never',
    stacking: { mode: stacked ? StackingMode.Normal : StackingMode.None, group: 'A' },
  };
}

function thresholds([yellow, red]: readonly [number, number]) {
  const steps = [
    { color: 'green', value: null },
    { color: 'yellow', value: yellow },
    { color: 'red', value: red },
  ];
  return { mode: ThresholdsMode.Absolute, steps };
}
