import { vi } from 'vitest';
import { outages } from './resilience/outages.ts';
import { startAndStop } from './resilience/start-and-stop.ts';
import { useSuite } from './support/suite.ts';

vi.setConfig({ testTimeout: 90_000 });

outages(useSuite());
startAndStop();
