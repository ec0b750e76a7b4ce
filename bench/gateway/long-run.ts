import { freePort } from '../measure/free-port.ts';
import { collectGarbage, openInspector } from '../measure/inspector.ts';
import type { LoadGenerator } from '../measure/load.ts';
import { residentBytes } from '../measure/process-usage.ts';
import type { Case } from './cases.ts';
import { type Bench, startGateway } from './targets.ts';

export interface LongRun {
	readonly points: readonly MemoryPoint[];
}

interface MemoryPoint {
	/** So far. */
	readonly requests: number;
	/** At that moment, with whatever garbage there is. */
	readonly residentMb: number;
	/** When all garbage has been collected: what grows here is kept. */
	readonly keptMb: number;
}

/** Resident memory after so many requests, one gateway process for all of them. */
export async function measureLongRun(
	bench: Bench,
	plan: Case,
	marks: readonly number[],
	generate: LoadGenerator,
): Promise<LongRun> {
	const inspectorPort = await freePort();
	const gateway = await startGateway(bench, { flags: [`--inspect=127.0.0.1:${inspectorPort}`] });
	const inspector = await openInspector(inspectorPort);
	try {
		const points: MemoryPoint[] = [];
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
			const residentMb = residentBytes(gateway.pid) / 1e6;
			await collectGarbage(inspector);
			points.push({ requests, residentMb, keptMb: residentBytes(gateway.pid) / 1e6 });
		}
		return { points };
	} finally {
		inspector.close();
		await gateway.stop();
	}
}
