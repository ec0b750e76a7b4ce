import type { CollectionStep } from '@paddock/contract';

/** Reads the landing page and stores the name of a context of this deployment. */
export const portalSteps: readonly CollectionStep[] = [
	{
		operationId: 'portalIndex',
		tests: ["pm.collectionVariables.set('someContext', response.data.contexts.at(-1).name);"],
	},
	{ operationId: 'contextOpenapi', path: { context: '{{someContext}}' } },
];
