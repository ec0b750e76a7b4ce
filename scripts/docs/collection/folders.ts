import { contextTable } from '../../../gateway/src/contexts.ts';
import { authSteps } from './auth-steps.ts';
import { masterdataSteps } from './masterdata-steps.ts';
import { operationsSteps } from './operations-steps.ts';
import { portalSteps } from './portal-steps.ts';
import type { Step } from './step.ts';

/** One folder of the collection. */
export interface Folder {
	readonly name: string;
	readonly description: string;
	readonly steps: readonly Step[];
	/** True where the steps are the order; else each only says what is special about its operation. */
	readonly inOrder: boolean;
	/** Whether it takes the operations of its context or tag that no step names. Exactly one folder does. */
	readonly takesRest: boolean;
}

const stepsOf: Readonly<Record<string, readonly Step[]>> = {
	auth: authSteps,
	masterdata: masterdataSteps,
};

/** In the order in which they run: a context that isn't written about here runs by its operations' own examples. */
export const folders: readonly Folder[] = [
	{
		name: 'portal',
		description: 'What this deployment has.',
		steps: portalSteps,
		inOrder: true,
		takesRest: true,
	},
	...contextTable.map(({ name, summary }) => ({
		name,
		description: summary,
		steps: stepsOf[name] ?? [],
		inOrder: name === 'auth',
		takesRest: true,
	})),
	{
		name: 'operations',
		description: 'Health, metrics, breakers.',
		steps: operationsSteps,
		inOrder: false,
		takesRest: true,
	},
	{
		name: 'sign out',
		description: 'Ends the session of the administrator.',
		steps: [{ operationId: 'logout', name: 'Sign the administrator out' }],
		inOrder: true,
		takesRest: false,
	},
];
