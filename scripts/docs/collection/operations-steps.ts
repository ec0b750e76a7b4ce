import type { CollectionStep } from '@paddock/contract';

const context = { context: '{{someContext}}' };
const override = { reason: 'test by the collection, {{run}}', expiresInSeconds: 60 };

/** Skips a request in a run of the whole collection, unless a variable of the environment is `on`. */
const onlyIf = (variable: string) => [
	`if (pm.variables.get('${variable}') !== 'on') pm.execution.skipRequest();`,
];

/** Reads the pages for operators and overrides a breaker. */
export const operationsSteps: readonly CollectionStep[] = [
	{ operationId: 'componentHealth', path: { component: '{{someContext}}' } },
	{ operationId: 'healthStream', query: { events: '1' } },
	{ operationId: 'heapDump', before: onlyIf('heapDumps') },
	{ operationId: 'cpuProfile', query: { seconds: '1' } },
	{ operationId: 'metric', path: { name: 'gateway_requests_total' } },
	{ operationId: 'openBreakers', path: context, body: override },
	{ operationId: 'closeBreakers', path: context, body: override },
	{ operationId: 'autoBreakers', path: context, body: { reason: 'done' } },
	{ operationId: 'changeLogLevel', path: { name: 'gateway' }, body: { level: 'info', expiresInSeconds: 1 } },
];
