import { freePort } from '../../libs/testing/src/free-port.ts';
import { collectGarbage, openInspector } from '../measure/inspector.ts';
import type { LoadGenerator } from '../measure/load.ts';
import { residentBytes } from '../measure/process-usage.ts';
import type { Case } from './cases.ts';
import { type Bench, startGateway } from './targets.ts';

export interface LongRun {
	readonly points: readonly MemoryPoint[];
}

interface MemoryPoint {
	/** Requests since the start. */
	readonly requests: number;
	/** Resident memory before a garbage collection. */
	readonly residentMb: number;
	/** Resident memory after a full garbage collection; growth is a leak. */
	readonly retainedMb: number;
}

/** Measures the resident memory of one gateway process at each number of requests in `marks`. */
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
			// The load generator runs for a time, not for a number of requests: approach the mark in steps.
			let perSecond = 5_000;
			while (requests < mark) {
				const seconds = Math.max(1, Math.min(15, Math.ceil((mark - requests) / perSecond)));
				const result = await generate(gateway.origin, load, seconds);
				requests += result.requests;
				perSecond = Math.max(1, result.requests / result.seconds);
			}
			const residentMb = residentBytes(gateway.pid) / 1e6;
			await collectGarbage(inspector);
			points.push({ requests, residentMb, retainedMb: residentBytes(gateway.pid) / 1e6 });
		}
		return { points };
	} finally {
		inspector.close();
		await gateway.stop();
	}
}
