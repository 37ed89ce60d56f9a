import { i18n } from '../../shared/i18n/i18n.ts';
import type { Dialect } from './webhook.ts';

export type SenderId = 'chat' | 'alertmanager' | 'grafana' | 'gitlab' | 'github' | 'statuspage' | 'own';

/** A program that sends to webhooks, and how it is configured. */
export interface Sender {
  readonly id: SenderId;
  readonly name: string;
  readonly dialect: Dialect;
  readonly steps: readonly string[];
  /** A file to copy, with the address in it. `copy` is the label of the button. */
  readonly configuration?: {
    readonly file: string;
    readonly copy: string;
    readonly text: (address: string) => string;
  };
}

export function senderOf(id: SenderId): Sender {
  const [first, ...others] = SENDERS();
  return others.find((sender) => sender.id === id) ?? (first as Sender);
}

/** The sender that the name of a webhook speaks of, such as "GitHub of the team". */
export function senderNamedIn(name: string): SenderId {
  const lower = name.toLowerCase();
  return NAMES.find((id) => lower.includes(id)) ?? 'chat';
}

const NAMES: readonly SenderId[] = ['alertmanager', 'grafana', 'gitlab', 'github', 'statuspage'];

/** Names of programs are not translated. */
export function SENDERS(): readonly Sender[] {
  return [chatTool(), alertmanager(), grafana(), gitlab(), github(), statuspage(), ownProgram()];
}

function chatTool(): Sender {
  return {
    id: 'chat',
    name: i18n._('A program that can post to Slack or Mattermost'),
    dialect: 'chatcompat',
    steps: [
      i18n._('Open the settings of the program, where it asks for the URL of an incoming webhook.'),
      i18n._('Enter the address above. If it asks for a channel, leave it empty: the webhook has its own.'),
      i18n._('Save, and let the program send a test. It appears in the deliveries below.'),
    ],
  };
}

function alertmanager(): Sender {
  return {
    id: 'alertmanager',
    name: 'Prometheus Alertmanager',
    dialect: 'chatcompat',
    steps: [
      i18n._('Copy the receiver below into alertmanager.yml, under “receivers”.'),
      i18n._('Name the receiver in “route”, or in one of its routes.'),
      i18n._('Reload Alertmanager. The next alert appears in the channel.'),
    ],
    configuration: {
      file: 'alertmanager.yml',
      copy: i18n._('Copy the receiver'),
      text: alertmanagerReceiver,
    },
  };
}

/** The receiver of docs/webhooks.md. */
export function alertmanagerReceiver(address: string): string {
  return `receivers:
  - name: chat
    slack_configs:
      - api_url: ${address}
        send_resolved: true
        color: '{{ if eq .Status "firing" }}#e23c39{{ else }}#3ecf8e{{ end }}'
        text: '{{ range .Alerts }}{{ .Annotations.summary }}{{ "\\n" }}{{ end }}'
`;
}

function grafana(): Sender {
  return {
    id: 'grafana',
    name: 'Grafana',
    dialect: 'chatcompat',
    steps: [
      i18n._('Open Alerting, Contact points, and add a contact point.'),
      i18n._(
        'Choose the integration Slack, not Webhook. Enter the address as Webhook URL; leave the token empty.',
      ),
      i18n._('Choose Test, then save. Use the contact point in a notification policy.'),
    ],
  };
}

function gitlab(): Sender {
  return {
    id: 'gitlab',
    name: 'GitLab',
    dialect: 'chatcompat',
    steps: [
      i18n._('Open Settings, Integrations of the project or group, and choose Mattermost notifications.'),
      i18n._('Choose the events. Enter the address as Webhook, and leave the channels empty.'),
      i18n._('Choose Test settings, then save.'),
    ],
  };
}

function github(): Sender {
  return {
    id: 'github',
    name: 'GitHub',
    dialect: 'codehost',
    steps: [
      i18n._(
        'Open Settings, Secrets and variables, Actions of the repository. Add the address as secret WEBHOOK_URL.',
      ),
      i18n._('Save the workflow below as .github/workflows/notify.yml in the default branch.'),
      i18n._('Open an issue: it appears in the channel within a minute.'),
      i18n._('GitHub’s own webhooks name their headers differently, so they show nothing here.'),
    ],
    configuration: {
      file: '.github/workflows/notify.yml',
      copy: i18n._('Copy the workflow'),
      text: () => GITHUB_WORKFLOW,
    },
  };
}

const GITHUB_WORKFLOW = `name: notify
on: [push, issues, pull_request, release]
jobs:
  notify:
    runs-on: ubuntu-latest
    permissions: {}
    steps:
      - run: |
          curl --fail --silent --show-error "$WEBHOOK_URL" \\
            -H 'Content-Type: application/json' \\
            -H "X-Codehost-Event: $GITHUB_EVENT_NAME" \\
            -H "X-Codehost-Delivery: $GITHUB_RUN_ID" \\
            --data-binary "@$GITHUB_EVENT_PATH"
        env:
          WEBHOOK_URL: \${{ secrets.WEBHOOK_URL }}
`;

function statuspage(): Sender {
  return {
    id: 'statuspage',
    name: 'Statuspage',
    dialect: 'statuspage',
    steps: [
      i18n._('Open the status page, and choose Subscribe to updates, Webhook.'),
      i18n._('Enter the address, and an e-mail address for problems with it.'),
      i18n._('Incidents, maintenances and changes of components appear in the channel.'),
    ],
  };
}

function ownProgram(): Sender {
  return {
    id: 'own',
    name: i18n._('Your own program'),
    dialect: 'webhook',
    steps: [i18n._('Send a POST request with JSON to the address. The command below does it.')],
    configuration: {
      file: 'curl',
      copy: i18n._('Copy the command'),
      text: (address) =>
        `curl -H 'Content-Type: application/json' -d '{"content": "The build is green."}' '${address}'\n`,
    },
  };
}
