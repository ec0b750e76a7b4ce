import type { LoadGenerator } from '../measure/load.ts';
import { residentBytes } from '../measure/process-usage.ts';
import type { Case } from './cases.ts';
import { type Bench, startGateway } from './targets.ts';

export interface LongRun {
	/** Requests so far and resident memory at that moment. */
	readonly points: readonly { readonly requests: number; readonly residentMb: number }[];
}

/** Resident memory after so many requests, one gateway process for all of them. */
export async function measureLongRun(
	bench: Bench,
	plan: Case,
	marks: readonly number[],
	generate: LoadGenerator,
): Promise<LongRun> {
	const gateway = await startGateway(bench);
	try {
		const points: { requests: number; residentMb: number }[] = [];
		const load = { ...plan.load, tokens: bench.tokens(plan.tokens) };
		let requests = 0;
		for (const mark of marks) {
			// The load generator counts seconds, so this comes near to the mark in a few steps.
			let perSecond = 5_000;
			while (requests < mark) {
				const seconds = Math.max(1, Math.min(15, Math.ceil((mark - requests) / perSecond)));
				const result = await generate(gateway.origin, load, seconds);
				requests += result.requests;
				perSecond = Math.max(1, result.requests / result.seconds);
			}
			points.push({ requests, residentMb: residentBytes(gateway.pid) / 1e6 });
		}
		return { points };
	} finally {
		await gateway.stop();
	}
}
