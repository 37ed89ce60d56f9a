import { vi } from 'vitest';
import { outages } from './resilience/outages.ts';
import { startAndStop } from './resilience/start-and-stop.ts';
import { useStack } from './support/stack.ts';

vi.setConfig({ testTimeout: 90_000 });

outages(useStack());
startAndStop();
