import type { Step } from './step.ts';

/** Looks around; keeps the name of a context that this deployment has. */
export const portalSteps: readonly Step[] = [
	{
		operationId: 'portalIndex',
		tests: ["pm.collectionVariables.set('someContext', answer.data.contexts.at(-1).name);"],
	},
];
