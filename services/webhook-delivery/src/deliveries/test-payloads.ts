import type { Dialect } from '../store/delivery.ts';
import type { SentPayload } from './post-payload.ts';

/** What a test of each format sends. Each posts a message. */
export function testPayload(dialect: Dialect, now: Date): SentPayload {
  const { event, body } = TESTS[dialect](now.toISOString());
  return { content_type: 'application/json', event, body: Buffer.from(JSON.stringify(body)) };
}

interface Test {
  readonly event: string | null;
  readonly body: object;
}

const TESTS: Readonly<Record<Dialect, (now: string) => Test>> = {
  webhook: () => ({ event: null, body: { content: 'This is a test of the webhook.' } }),
  chatcompat: () => ({
    event: null,
    body: {
      text: 'This is a test of the webhook.',
      attachments: [
        {
          color: '#3ecf8e',
          title: '[RESOLVED] TestAlert',
          text: 'A chat tool or a monitoring system sends messages like this one.',
          fields: [{ title: 'severity', value: 'none', short: true }],
        },
      ],
    },
  }),
  codehost: () => ({
    event: 'issues',
    body: {
      action: 'opened',
      repository: { name: 'test', full_name: 'example/test' },
      sender: { login: 'example' },
      issue: {
        number: 1,
        title: 'This is a test of the webhook',
        body: 'A code host sends events like this one.',
      },
    },
  }),
  statuspage: (now) => ({
    event: null,
    body: {
      incident: {
        name: 'This is a test of the webhook',
        status: 'resolved',
        incident_updates: [{ body: 'A status page sends notifications like this one.', created_at: now }],
      },
      page: { status_description: 'All systems operational' },
    },
  }),
};
