import { useAnyStack } from '../support/stack.ts';
import { bots } from './bots.ts';
import { codeHostWebhook } from './code-host-webhook.ts';
import { pinnedVersions } from './pinned-versions.ts';
import { prometheusAlert } from './prometheus-alert.ts';
import { resourceServer } from './resource-server.ts';
import { signInFastify } from './sign-in-fastify.ts';
import { signInPage } from './sign-in-page.ts';

const stack = useAnyStack('localhost');

pinnedVersions();
signInFastify(stack);
signInPage(stack);
resourceServer(stack);
codeHostWebhook(stack);
bots(stack);
prometheusAlert(stack);
