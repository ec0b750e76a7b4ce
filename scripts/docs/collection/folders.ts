import { contextTable } from '../../../gateway/src/contexts.ts';
import { authSteps } from './auth-steps.ts';
import { eventsSteps } from './events-steps.ts';
import { horsesSteps } from './horses-steps.ts';
import { masterdataSteps } from './masterdata-steps.ts';
import { membersSteps } from './members-steps.ts';
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

/** Those whose records live through more than make, read, change, delete. */
const inOrder: ReadonlySet<string> = new Set(['auth', 'members', 'horses', 'events']);

const stepsOf: Readonly<Record<string, readonly Step[]>> = {
	auth: authSteps,
	members: membersSteps,
	masterdata: masterdataSteps,
	horses: horsesSteps,
	events: eventsSteps,
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
		inOrder: inOrder.has(name),
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
		name: 'leaving',
		description: 'Takes the member away whom the others needed, and ends the session of the administrator.',
		steps: [
			{ operationId: 'removeHorse', name: 'Remove the horse' },
			{ operationId: 'deleteMember', name: 'Delete the member' },
			{ operationId: 'logout', name: 'Sign the administrator out' },
		],
		inOrder: true,
		takesRest: false,
	},
];
