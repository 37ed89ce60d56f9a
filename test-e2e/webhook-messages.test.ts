import { useAnySuite } from './support/suite.ts';
import { executions } from './webhooks/executions.ts';
import { ownMessages } from './webhooks/own-messages.ts';
import { providers } from './webhooks/providers.ts';

const suite = useAnySuite();

executions(suite);
ownMessages(suite);
providers(suite);
