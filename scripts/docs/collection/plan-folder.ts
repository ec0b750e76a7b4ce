import type { CollectionStep } from '@paddock/contract';
import type { Folder } from './folders.ts';
import type { CollectionOperation } from './operation.ts';

/** A step with its operation. */
export interface PlannedStep {
	readonly step: CollectionStep;
	readonly operation: CollectionOperation;
}

/**
 * The requests of a folder in an order that runs: what is needed is made first and taken away last.
 * @throws when a step names an operation that doesn't exist
 */
export function planFolder(
	folder: Folder,
	operations: readonly CollectionOperation[],
): readonly PlannedStep[] {
	const planned = folder.steps.map((step) => ({ step, operation: find(step.operationId, operations) }));
	if (!folder.takesRest) return planned;
	const own = operations.filter((operation) => operation.folder === folder.name);
	if (folder.inOrder) {
		const rest = own.filter(
			({ operationId }) => !folder.steps.some((step) => step.operationId === operationId),
		);
		return [...planned, ...inOrder(rest.map(withoutStep))];
	}
	return inOrder(
		own.map(
			(operation) =>
				planned.find(({ step }) => step.operationId === operation.operationId) ?? withoutStep(operation),
		),
	);
}

function withoutStep(operation: CollectionOperation): PlannedStep {
	return { step: { operationId: operation.operationId }, operation };
}

function inOrder(steps: readonly PlannedStep[]): readonly PlannedStep[] {
	const phase = (name: Phase) => steps.filter(({ operation }) => phaseOf(operation) === name);
	return [...phase('make'), ...phase('read'), ...phase('change'), ...phase('delete').reverse()];
}

type Phase = 'make' | 'read' | 'change' | 'delete';

function phaseOf({ method, status }: CollectionOperation): Phase {
	if (method === 'GET') return 'read';
	if (method === 'DELETE') return 'delete';
	return status === 201 ? 'make' : 'change';
}

function find(operationId: string, operations: readonly CollectionOperation[]): CollectionOperation {
	const operation = operations.find((candidate) => candidate.operationId === operationId);
	if (operation === undefined) throw new TypeError(`There is no operation ${operationId}.`);
	return operation;
}
