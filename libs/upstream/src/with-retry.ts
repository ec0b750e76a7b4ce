import type { RetryBudget } from '@paddock/resilience';
import type { AttemptFailure } from './attempt-failures.ts';
import type { Candidate, InstanceSet } from './instance-set.ts';

interface RetrySteps<Target, Outcome> {
	readonly instances: Pick<InstanceSet<Target>, 'choose'>;
	readonly budget: RetryBudget;
	/** The choice and the admission of the breaker happen without an interruption if it doesn't wait before that. */
	readonly attempt: (target: Target) => Promise<Outcome>;
	/** The failure after which the request may be sent again; undefined if the outcome is final. */
	readonly failureOf: (outcome: Outcome) => AttemptFailure | undefined;
	/** Whether the only instance may get the retry as well. */
	readonly mayRepeat: (outcome: Outcome) => boolean;
	/** Called before the retry. */
	readonly onRetry?: (outcome: Outcome) => void;
}

/**
 * Sends a request to an available instance, and once more if that may succeed and the budget allows it: to another instance
 * if there is one. Undefined = no instance is available.
 */
export async function withRetry<Target extends Candidate, Outcome>(
	steps: RetrySteps<Target, Outcome>,
): Promise<Outcome | undefined> {
	const { instances, budget } = steps;
	const target = instances.choose();
	if (target === undefined) return undefined;
	const outcome = await steps.attempt(target);
	const failure = steps.failureOf(outcome);
	if (failure === undefined) return outcome;
	const next = instances.choose(target) ?? (steps.mayRepeat(outcome) ? again(target) : undefined);
	if (next === undefined) return outcome;
	const end = failure.spendsBudget ? budget.retry() : nothingSpent;
	if (end === undefined) return outcome;
	steps.onRetry?.(outcome);
	try {
		return await steps.attempt(next);
	} finally {
		end();
	}
}

function again<Target extends Candidate>(target: Target): Target | undefined {
	return target.breaker.admits() ? target : undefined;
}

function nothingSpent(): void {
	// The budget was not used.
}
