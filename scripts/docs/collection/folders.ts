import type { CollectionStep } from '@paddock/contract';
import { collectionOf } from '../../contexts/context-modules.ts';
import { contexts } from '../../contexts/contexts.ts';
import { byHandSteps, operationsSteps, portalSteps } from './by-hand-steps.ts';

export interface Folder {
	readonly name: string;
	readonly description: string;
	readonly steps: readonly CollectionStep[];
	/** True if the steps define the sequence; otherwise each step only overrides values of its operation. */
	readonly inOrder: boolean;
	/** Whether it also includes the operations of its context or tag that no step names. */
	readonly isComplete: boolean;
}

const ofContexts: Folder[] = [];
const leavingSteps: CollectionStep[] = [];
for (const context of contexts) {
	const { steps = [], inOrder = false, leaving = [] } = (await collectionOf(context)) ?? {};
	const { name, summary: description } = context;
	ofContexts.push({ name, description, steps, inOrder, isComplete: true });
	// In reverse order: records that refer to others are removed before them.
	leavingSteps.unshift(...leaving);
}

/** In execution order. A context without steps runs with the examples of its operations. */
export const folders: readonly Folder[] = [
	{
		name: 'Try by hand',
		description: 'Requests for the demo data, in any order.',
		steps: byHandSteps,
		inOrder: true,
		isComplete: false,
	},
	{
		name: 'portal',
		description: 'Landing page and documents of this deployment.',
		steps: portalSteps,
		inOrder: true,
		isComplete: true,
	},
	...ofContexts,
	{
		name: 'operations',
		description: 'Health, metrics, breakers.',
		steps: operationsSteps,
		inOrder: false,
		isComplete: true,
	},
	{
		name: 'leaving',
		description: 'Removes the records that later folders needed, and signs the administrator out.',
		steps: leavingSteps,
		inOrder: true,
		isComplete: false,
	},
];
