/** What monitoring tools send to a chat tool's webhook: a text, a firing alert, and a list of them. */
export const CHATCOMPAT: readonly object[] = [
  { text: 'Deployed build 4711 to production.', username: 'Deployer' },
  {
    channel: '#alerts',
    username: 'Alertmanager',
    attachments: [
      {
        title: '[FIRING:1] HighLatency (api prod critical)',
        title_link: 'https://alerts.test/#/alerts?receiver=chat',
        pretext: '',
        text: 'The 99th percentile of answers took 2.4 s in the last five minutes.',
        fallback: '[FIRING:1] HighLatency (api prod critical) | https://alerts.test/#/alerts?receiver=chat',
        callback_id: '',
        footer: 'alerts.test',
        color: '#e23c39',
        mrkdwn_in: ['fallback', 'pretext', 'text'],
        fields: [
          { title: 'Severity', value: 'critical', short: true },
          { title: 'Service', value: 'api', short: true },
          { title: 'Runbook', value: 'https://runbooks.test/high-latency', short: false },
        ],
      },
    ],
  },
  {
    text: 'Alerts of the last minute',
    attachments: Array.from({ length: 10 }, (_, n) => ({
      title: `Disk ${n} is nearly full`,
      title_link: `https://dashboards.test/d/disk?var-disk=${n}`,
      text: `**Firing**\n\nValue: A=${90 + n}\nLabels:\n - alertname = DiskSpace\n - instance = host-${n}\n`,
      fallback: `Disk ${n} is nearly full`,
      footer: 'Dashboards v12.1.0',
      footer_icon: 'https://dashboards.test/icon.png',
      color: '#d63232',
      ts: 1_760_000_000 + n,
      image_url: `https://dashboards.test/render/${n}.png`,
    })),
  },
];
