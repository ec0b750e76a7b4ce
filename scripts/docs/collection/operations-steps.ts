import type { CollectionStep } from '@paddock/contract';

const context = { context: '{{someContext}}' };
const order = { reason: 'the collection tries it out, {{run}}', expiresInSeconds: 60 };

/** Reads what operators read, and forces a breaker for a moment. */
export const operationsSteps: readonly CollectionStep[] = [
	{ operationId: 'componentHealth', path: { component: '{{someContext}}' } },
	{ operationId: 'healthStream', query: { events: '1' } },
	{ operationId: 'metric', path: { name: 'gateway_requests_total' } },
	{ operationId: 'openBreakers', path: context, body: order },
	{ operationId: 'closeBreakers', path: context, body: order },
	{ operationId: 'autoBreakers', path: context, body: { reason: 'done' } },
];
