import { type Call, callInstance } from './call-instance.ts';
import { type CallOutcome, callFailures, isFailure, type NobodyToAsk } from './call-outcome.ts';
import type { PeerInstance, PeerInstances } from './peer-instances.ts';

export interface AskLimits {
	/** For one attempt. */
	readonly timeoutMs: number;
	/** For both: an instant of `performance.now()`. */
	readonly endMs: number;
	readonly signal: AbortSignal;
}

const attemptsMax = 2;
// Less than this is no time for a second attempt to succeed in, only for it to be cut off.
const attemptMsMin = 20;

/**
 * Asks one instance and, where that may help, once more: another instance if there is one, else the same.
 * @throws the signal's reason when it is aborted; nothing else.
 */
export async function askInstances(
	instances: PeerInstances,
	call: Call,
	limits: AskLimits,
): Promise<CallOutcome | NobodyToAsk> {
	const tried = new Set<PeerInstance>();
	let last: CallOutcome | undefined;
	for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
		const remainingMs = Math.floor(limits.endMs - performance.now());
		if (remainingMs < attemptMsMin) break;
		const instance = choose(instances.inTurn(), tried);
		if (instance === undefined) break;
		tried.add(instance);
		const timeoutMs = Math.min(limits.timeoutMs, remainingMs);
		last = await attemptAt(instance, call, { timeoutMs, signal: limits.signal });
		if (last === undefined || !isFailure(last) || !callFailures[last.kind].retry) break;
	}
	return last ?? nobodyToAsk(instances.inTurn(), limits);
}

/** The first whose breaker admits; one tried already only when there is nobody else. */
function choose(inTurn: readonly PeerInstance[], tried: ReadonlySet<PeerInstance>): PeerInstance | undefined {
	const usable = inTurn.filter(({ breaker }) => breaker.admits());
	return usable.find((instance) => !tried.has(instance)) ?? usable[0];
}

async function attemptAt(
	instance: PeerInstance,
	call: Call,
	limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<CallOutcome | undefined> {
	const admission = instance.breaker.admit();
	if (admission === undefined) return undefined;
	try {
		const outcome = await callInstance(call, instance, limits);
		if (!isFailure(outcome)) admission.succeeded();
		else if (callFailures[outcome.kind].blamesInstance) admission.failed(outcome.cause);
		else if (outcome.kind === 'staleConnection') admission.abandoned();
		else admission.succeeded();
		return outcome;
	} finally {
		// Does nothing after one of the others; after a throw it gives the trial back.
		admission.abandoned();
	}
}

function nobodyToAsk(all: readonly PeerInstance[], limits: AskLimits): CallOutcome | NobodyToAsk {
	if (limits.endMs - performance.now() < attemptMsMin)
		return { kind: 'timeout', cause: new Error('The time was over before anybody was asked.') };
	if (all.length === 0) return { kind: 'noInstances' };
	return { kind: 'circuitOpen', waitMs: Math.min(...all.map(({ breaker }) => breaker.waitMs())) };
}
