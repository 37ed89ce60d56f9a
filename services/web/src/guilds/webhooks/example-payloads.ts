import { DIALECTS, type Dialect } from './webhook.ts';

/** What a sender of each format sends. It stays in English, as from a real sender. */
export function exampleOf(dialect: Dialect): string {
  return JSON.stringify(EXAMPLES[dialect], undefined, 2);
}

/** Whether a payload is an example that nobody has changed. */
export function isExample(payload: string): boolean {
  return DIALECTS.some((dialect) => exampleOf(dialect) === payload);
}

const EXAMPLES: Readonly<Record<Dialect, object>> = {
  webhook: {
    content: 'The build is green.',
    embeds: [
      {
        title: 'Build 512',
        color: 4116366,
        fields: [
          { name: 'Branch', value: 'main', inline: true },
          { name: 'Duration', value: '4 min', inline: true },
        ],
        timestamp: '2026-01-05T09:30:00Z',
      },
    ],
  },
  chatcompat: {
    username: 'Alertmanager',
    attachments: [
      {
        color: '#e23c39',
        title: '[FIRING:1] DiskFull',
        text: 'The disk of db-1 is 97 % full.',
        fields: [{ title: 'severity', value: 'critical', short: true }],
        footer: 'Prometheus',
      },
    ],
  },
  codehost: {
    action: 'opened',
    repository: { name: 'clock', full_name: 'ann/clock' },
    sender: { login: 'ann' },
    issue: { number: 7, title: 'The clock is slow', body: 'It loses a second a day.' },
  },
  statuspage: {
    page: { status_description: 'Partial outage' },
    incident: {
      name: 'Slow searches',
      status: 'investigating',
      incident_updates: [{ body: 'Searches take longer than usual.', created_at: '2026-01-05T09:30:00Z' }],
    },
  },
};
