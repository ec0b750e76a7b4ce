import { AsyncLocalStorage } from 'node:async_hooks';
import { unlessAborted } from '@paddock/resilience';
import { z } from 'zod';
import type { CallingRequest, Peer, PeerRequest } from './peer.ts';

/** Resolves ids to records, keyed by id; unknown ids are missing from the result. */
export type LookUp<Item> = (
	ids: readonly string[],
	context: CallingRequest,
) => Promise<ReadonlyMap<string, Item>>;

const idsMax = 50;
/** Calls of one lookup in progress, from which on further requests share the next call. */
const callsMax = 2;
/** How long a request waits for others at most. */
const waitMs = 10;
/** How long a request knows a record that it has read; a write reads the caller's member for its rights and again as the rider. */
const knownMs = 1_000;

interface LookUpOptions {
	/** By the monotonic clock, in milliseconds. */
	readonly nowMs?: () => number;
}

/**
 * Looks up records of another context through an `/internal/…/lookup` route; no ids, no call. Requests that arrive while
 * earlier calls are in progress share the next call. Throws as `Peer.require`.
 */
export function createLookUp<Item extends z.ZodType<{ readonly id: string }>>(
	peer: Peer,
	path: PeerRequest<z.ZodType>['path'],
	item: Item,
	{ nowMs = () => performance.now() }: LookUpOptions = {},
): LookUp<z.output<Item>> {
	type Found = ReadonlyMap<string, z.output<Item>>;
	const schema = z.object({ items: z.array(item) });
	const read = async (ids: readonly string[], context: CallingRequest): Promise<Found> => {
		const query = { ids: ids.join(',') };
		const { items } = await peer.require({ path, query, schema, credentials: 'service', context });
		return new Map(items.map((record) => [record.id, record]));
	};
	const readTogether = sharingCalls(read);
	const known = new WeakMap<AbortSignal, Map<string, Known<z.output<Item>>>>();
	return async (ids, context) => {
		const ofRequest = known.get(context.signal) ?? new Map<string, Known<z.output<Item>>>();
		known.set(context.signal, ofRequest);
		const all = [...new Set(ids)];
		const missing = all.filter((id) => (ofRequest.get(id)?.untilMs ?? 0) <= nowMs());
		const untilMs = nowMs() + knownMs;
		await Promise.all(
			portionsOf(missing).map(async (portion) => {
				const found = await readTogether(portion, context);
				for (const id of portion) ofRequest.set(id, { record: found.get(id), untilMs });
			}),
		);
		return new Map(
			all.flatMap((id) => {
				const record = ofRequest.get(id)?.record;
				return record === undefined ? [] : [[id, record] as const];
			}),
		);
	};
}

/** A record that a request has read; undefined if the id is unknown. */
interface Known<Record> {
	readonly record: Record | undefined;
	readonly untilMs: number;
}

function portionsOf(ids: readonly string[]): readonly (readonly string[])[] {
	return Array.from({ length: Math.ceil(ids.length / idsMax) }, (_, index) =>
		ids.slice(index * idsMax, (index + 1) * idsMax),
	);
}

/** A read that waits for its call. */
interface Waiting<Found> {
	readonly ids: readonly string[];
	readonly context: CallingRequest;
	/** Runs in the context of the request, whose spans and deadline they are. */
	readonly inRequest: <Result>(action: () => Result) => Result;
	readonly settle: PromiseWithResolvers<Found>;
}

/** Reads that arrive during `callsMax` calls are made together after one of them, or after `waitMs`, in case one is slow. */
function sharingCalls<Found>(
	read: (ids: readonly string[], context: CallingRequest) => Promise<Found>,
): (ids: readonly string[], context: CallingRequest) => Promise<Found> {
	let calls = 0;
	let waiting: readonly Waiting<Found>[] = [];
	let timer: NodeJS.Timeout | undefined;
	const call = async (together: readonly Waiting<Found>[]): Promise<void> => {
		const [first] = together;
		if (first === undefined) return;
		const { requestId, traceparent } = first.context;
		// One request that ends must not end the call of the others.
		const signal = together.length === 1 ? first.context.signal : new AbortController().signal;
		const ids = [...new Set(together.flatMap((each) => each.ids))];
		calls += 1;
		try {
			const found = await first.inRequest(() => read(ids, { requestId, traceparent, signal }));
			for (const { settle } of together) settle.resolve(found);
		} catch (error) {
			for (const { settle } of together) settle.reject(error);
		} finally {
			calls -= 1;
			if (calls < callsMax) callWaiting();
		}
	};
	const callWaiting = (): void => {
		clearTimeout(timer);
		timer = undefined;
		const present = waiting.filter(({ context }) => !context.signal.aborted);
		waiting = [];
		for (const together of inCalls(present)) void call(together);
	};
	return (ids, context) => {
		const settle = Promise.withResolvers<Found>();
		waiting = [...waiting, { ids, context, inRequest: AsyncLocalStorage.snapshot(), settle }];
		if (calls < callsMax) callWaiting();
		else timer ??= setTimeout(callWaiting, waitMs);
		return unlessAborted(settle.promise, context.signal);
	};
}

/** The reads by the call that makes them. */
function inCalls<Found>(reads: readonly Waiting<Found>[]): readonly (readonly Waiting<Found>[])[] {
	const calls: Waiting<Found>[][] = [];
	let idsLeft = 0;
	for (const each of reads) {
		if (each.ids.length > idsLeft) {
			calls.push([]);
			idsLeft = idsMax;
		}
		calls.at(-1)?.push(each);
		idsLeft -= each.ids.length;
	}
	return calls;
}

const existing = z.object({ id: z.uuid(), status: z.string() });

/** The subset of the ids whose records exist and are not INACTIVE (deleted or closed). Throws as `createLookUp`. */
export function createKnownIds(
	peer: Peer,
	path: PeerRequest<z.ZodType>['path'],
): (ids: readonly string[], context: CallingRequest) => Promise<ReadonlySet<string>> {
	const lookUp = createLookUp(peer, path, existing);
	return async (ids, context) => {
		const found = [...(await lookUp(ids, context)).values()];
		return new Set(found.filter(({ status }) => status !== 'INACTIVE').map(({ id }) => id));
	};
}
