import type { CollectionStep } from '@paddock/contract';
import { onlyByHand } from './sign-in-script.ts';

const context = { context: '{{someContext}}' };
const override = { reason: 'test by the collection, {{run}}', expiresInSeconds: 60 };

/** Reads the pages for operators and overrides a breaker. */
export const operationsSteps: readonly CollectionStep[] = [
	{ operationId: 'componentHealth', path: { component: '{{someContext}}' } },
	{ operationId: 'healthStream', query: { events: '1' } },
	{ operationId: 'heapDump', before: onlyByHand },
	{ operationId: 'cpuProfile', query: { seconds: '1' } },
	{ operationId: 'metric', path: { name: 'gateway_requests_total' } },
	{ operationId: 'openBreakers', path: context, body: override },
	{ operationId: 'closeBreakers', path: context, body: override },
	{ operationId: 'autoBreakers', path: context, body: { reason: 'done' } },
	{ operationId: 'changeLogLevel', path: { name: 'gateway' }, body: { level: 'info', expiresInSeconds: 1 } },
];
