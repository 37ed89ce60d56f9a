import { describe, expect, it } from 'vitest';
import { newWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

/** Uptime Kuma's "Discord" notification for a monitor that is down: its time has a space and no offset. */
const UPTIME_KUMA = {
  username: 'Uptime Kuma',
  content: '',
  embeds: [
    {
      title: '❌ Your service Shop went down. ❌',
      color: 16711680,
      timestamp: '2024-09-24 23:51:35.527',
      fields: [
        { name: 'Service Name', value: 'Shop' },
        { name: 'Service URL', value: 'https://shop.example/' },
        { name: 'Went Offline', value: '<t:1727221895:F>' },
        { name: 'Time (UTC)', value: '2024-09-24 23:51:35.527' },
        { name: 'Error', value: 'connect ECONNREFUSED 192.0.2.1:443' },
      ],
    },
  ],
};

/** Output of the Discord template of Jellyfin's webhook plugin: its color is a string. */
const JELLYFIN = {
  content: 'Someone has added something',
  avatar_url: 'https://media.example/avatar.png',
  username: 'Jellyfin',
  embeds: [
    {
      author: { name: 'Movie Added • Home', url: 'https://media.example/web/index.html#!/details?id=1' },
      thumbnail: { url: 'https://media.example/Items/1/Images/Primary' },
      title: 'The Movie (1999) has been added to Home',
      color: '3381759',
      footer: { text: 'From Home', icon_url: 'https://media.example/AppIcon.png' },
      timestamp: '2024-09-24T23:51:35.5271234+00:00',
    },
  ],
};

/** A firing alert from Grafana's contact point "Discord". */
const GRAFANA = {
  username: 'Grafana',
  content: '**Firing**\n\nValue: A=22\nLabels:\n - alertname = High load\n',
  avatar_url: '',
  embeds: [
    {
      title: '[FIRING:1] High load (web)',
      type: 'rich',
      color: 14037554,
      url: 'https://grafana.example/alerting/list',
      footer: { text: 'Grafana v11.2.0', icon_url: 'https://grafana.com/static/assets/img/fav32.png' },
    },
  ],
};

/** An alert from Alertmanager's `discord_configs`. */
const ALERTMANAGER = {
  content: '',
  embeds: [
    {
      title: '[FIRING:1] HighLoad (web)',
      description:
        'Alerts Firing:\nLabels:\n - alertname = HighLoad\nSource: https://prometheus.example/graph\n',
      color: 10038562,
    },
  ],
};

const TIME = '2024-09-24T23:51:35.527Z';

export function alertPayloads(stack: TestStack): void {
  describe('alerts from monitoring programs to a Discord webhook', () => {
    it.each<[string, object, string, object]>([
      ['Uptime Kuma', UPTIME_KUMA, 'Uptime Kuma', { color: 16711680, timestamp: TIME }],
      ['Jellyfin', JELLYFIN, 'Jellyfin', { color: 3381759, timestamp: TIME }],
      ['Grafana', GRAFANA, 'Grafana', { color: 14037554, title: '[FIRING:1] High load (web)' }],
      ['Alertmanager', ALERTMANAGER, 'Build', { color: 10038562, title: '[FIRING:1] HighLoad (web)' }],
    ])('from %s appear in the channel', async (_, payload, username, embed) => {
      const hook = await newWebhook(stack.api);
      const { status, text } = await hook.execute(payload);
      expect([status, text]).toEqual([204, '']);
      expect(await hook.messages()).toMatchObject([{ author: { username }, embeds: [embed] }]);
    });
  });
}
