import type { CollectionStep } from '@paddock/contract';

/** Looks around; keeps the name of a context that this deployment has. */
export const portalSteps: readonly CollectionStep[] = [
	{
		operationId: 'portalIndex',
		tests: ["pm.collectionVariables.set('someContext', answer.data.contexts.at(-1).name);"],
	},
	{ operationId: 'contextOpenapi', path: { context: '{{someContext}}' } },
];
