import type { CollectionStep } from '@paddock/contract';
import type { Folder } from './folders.ts';
import type { CollectionOperation } from './operation.ts';

export interface PlannedStep {
	readonly step: CollectionStep;
	readonly operation: CollectionOperation;
}

/** The requests of a folder in an executable order. @throws TypeError if a step names an unknown operation */
export function planFolder(
	folder: Folder,
	operations: readonly CollectionOperation[],
): readonly PlannedStep[] {
	const planned = folder.steps.map((step) => ({ step, operation: find(step.operationId, operations) }));
	if (!folder.isComplete) return planned;
	const own = operations.filter((operation) => operation.folder === folder.name);
	if (folder.inOrder) {
		const others = own.filter(
			({ operationId }) => !folder.steps.some((step) => step.operationId === operationId),
		);
		return [...planned, ...inExecutionOrder(others.map(withoutStep))];
	}
	return inExecutionOrder(
		own.flatMap((operation) => {
			const steps = planned.filter(({ step }) => step.operationId === operation.operationId);
			return steps.length === 0 ? withoutStep(operation) : steps;
		}),
	);
}

function withoutStep(operation: CollectionOperation): PlannedStep {
	return { step: { operationId: operation.operationId }, operation };
}

function inExecutionOrder(steps: readonly PlannedStep[]): readonly PlannedStep[] {
	const phase = (name: Phase) => steps.filter(({ operation }) => phaseOf(operation) === name);
	return [...phase('create'), ...phase('read'), ...phase('change'), ...phase('delete').reverse()];
}

type Phase = 'create' | 'read' | 'change' | 'delete';

function phaseOf({ method, status }: CollectionOperation): Phase {
	if (method === 'GET') return 'read';
	if (method === 'DELETE') return 'delete';
	return status === 201 ? 'create' : 'change';
}

function find(operationId: string, operations: readonly CollectionOperation[]): CollectionOperation {
	const operation = operations.find((candidate) => candidate.operationId === operationId);
	if (operation === undefined) throw new TypeError(`Operation ${operationId} not found.`);
	return operation;
}
