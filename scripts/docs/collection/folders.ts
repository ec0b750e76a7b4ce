import type { CollectionStep } from '@paddock/contract';
import { collectionOf } from '../../contexts/context-modules.ts';
import { contexts } from '../../contexts/contexts.ts';
import { operationsSteps } from './operations-steps.ts';
import { portalSteps } from './portal-steps.ts';

/** One folder of the collection. */
export interface Folder {
	readonly name: string;
	readonly description: string;
	readonly steps: readonly CollectionStep[];
	/** True where the steps are the order; else each only says what is special about its operation. */
	readonly inOrder: boolean;
	/** Whether it takes the operations of its context or tag that no step names. Exactly one folder does. */
	readonly takesRest: boolean;
}

const ofContexts: Folder[] = [];
const leavingSteps: CollectionStep[] = [];
for (const context of contexts) {
	const { steps = [], inOrder = false, leaving = [] } = (await collectionOf(context)) ?? {};
	const { name, summary: description } = context;
	ofContexts.push({ name, description, steps, inOrder, takesRest: true });
	// From the last context to the first: records that refer to others are removed before them.
	leavingSteps.unshift(...leaving);
}

/** In the order in which they run: a context without steps runs by the examples of its operations. */
export const folders: readonly Folder[] = [
	{
		name: 'portal',
		description: 'What this deployment has.',
		steps: portalSteps,
		inOrder: true,
		takesRest: true,
	},
	...ofContexts,
	{
		name: 'operations',
		description: 'Health, metrics, breakers.',
		steps: operationsSteps,
		inOrder: false,
		takesRest: true,
	},
	{
		name: 'leaving',
		description: 'Removes the records that later folders needed, and signs the administrator out.',
		steps: leavingSteps,
		inOrder: true,
		takesRest: false,
	},
];
