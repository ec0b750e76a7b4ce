import type { Inspector } from './inspector.ts';

/** A part of a program, and the URLs of its code. */
export interface Part {
	readonly name: string;
	readonly code: RegExp;
}

interface ProfileNode {
	readonly id: number;
	readonly callFrame: { readonly functionName: string; readonly url: string };
	readonly children?: readonly number[];
}

/** https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
interface Profile {
	readonly nodes: readonly ProfileNode[];
	readonly samples: readonly number[];
	readonly timeDeltas: readonly number[];
}

const samplingMicroseconds = 500;
const collector = 'garbage collection';
const remainder = 'Node.js: event loop, streams, sockets';

/**
 * Profiles a program during `work`. @returns the share (0–1) of its CPU time by part, the largest first. A sample counts
 * for the innermost part on the stack: time in Node.js on behalf of a database driver is the driver's. Idle time is
 * excluded.
 */
export async function profileShares(
	inspector: Inspector,
	parts: readonly Part[],
	work: () => Promise<unknown>,
): Promise<ReadonlyMap<string, number>> {
	await inspector.send('Profiler.enable');
	await inspector.send('Profiler.setSamplingInterval', { interval: samplingMicroseconds });
	await inspector.send('Profiler.start');
	await work();
	const { profile } = (await inspector.send('Profiler.stop')) as { profile: Profile };
	return sharesOf(profile, parts);
}

function sharesOf({ nodes, samples, timeDeltas }: Profile, parts: readonly Part[]): Map<string, number> {
	const partOfNode = namer(nodes, parts);
	const spent = new Map<string, number>();
	let sum = 0;
	for (const [at, id] of samples.entries()) {
		const part = partOfNode(id);
		const microseconds = timeDeltas[at] ?? 0;
		if (part === undefined) continue;
		spent.set(part, (spent.get(part) ?? 0) + microseconds);
		sum += microseconds;
	}
	const shares = [...spent].map(([part, microseconds]) => [part, microseconds / sum] as const);
	return new Map(shares.sort((a, b) => b[1] - a[1]));
}

/** The part that a node of the call tree belongs to; undefined = idle. */
function namer(nodes: readonly ProfileNode[], parts: readonly Part[]): (id: number) => string | undefined {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
	return (id) => {
		const { functionName = '' } = byId.get(id)?.callFrame ?? {};
		if (functionName === '(idle)') return undefined;
		if (functionName === '(garbage collector)') return collector;
		for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
			const url = byId.get(at)?.callFrame.url ?? '';
			const part = parts.find(({ code }) => code.test(url));
			if (part !== undefined) return part.name;
		}
		return remainder;
	};
}
