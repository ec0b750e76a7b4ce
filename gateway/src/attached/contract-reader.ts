import type { Instance, Registry } from '@paddock/discovery';
import { type ContractClient, type Fetched, InstanceError } from './fetch-contract.ts';

interface ContractReaderDeps {
	readonly registry: Registry;
	readonly client: ContractClient;
	/** Whether an instance gets requests and responds to its health probe. Must not reject. */
	readonly isHealthy: (service: string, instance: Instance) => Promise<boolean>;
	/** Milliseconds between two readings of a contract that is known. */
	readonly refreshMs: number;
	/** A contract, or what is wrong with it. Resolves to whether it could be used. */
	readonly onRead: (fetched: Fetched) => Promise<boolean>;
	/** No instance can be asked. */
	readonly onUnreachable: (problem: string) => void;
	/** An instance does not return a contract. */
	readonly onProblem: (problem: string) => void;
}

export type StopReading = () => void;

const triesMax = 3;
// After a reading without a usable contract; doubled each time, up to the usual interval.
const retryMs = 1_000;
// At least between two readings, however often the instances change; and so many times the processor time that the last one
// took. It is not measured by the clock: on a busy machine, or with a slow disk, a change would be noticed late.
const pauseMs = 500;
const pauseFactor = 20;

/**
 * Reads the contract of a service now, when its instances change, and at intervals. It stays with one instance while that is healthy: during a
 * rollout instances have different contracts, and a gateway that read them by turns would switch between them. One without a usable contract is left.
 */
export function startReading(
	deps: ContractReaderDeps,
	{ service, path }: { readonly service: string; readonly path: string },
): StopReading {
	const watch = deps.registry.watch(service);
	let source: { readonly instance: Instance; readonly etag: string | undefined } | undefined;
	let timer: NodeJS.Timeout | undefined;
	let isStopped = false;
	let isReading = false;
	let isDue = false;
	let failures = 0;
	let tried = 0;
	let judgedMs = 0;
	let notBefore = 0;

	const readFrom = async (instance: Instance): Promise<boolean> => {
		const isSource = source?.instance.url === instance.url && source.instance.id === instance.id;
		const etag = isSource ? source?.etag : undefined;
		const fetched = await deps.client.fetch(service, instance.url + path, etag);
		if (isStopped) return true;
		const before = process.cpuUsage();
		const isUsable = await deps.onRead(fetched);
		const { user, system } = process.cpuUsage(before);
		judgedMs = (user + system) / 1_000;
		// The contract of another instance may be usable. This one's is read and judged again in its turn.
		source = isUsable ? { instance, etag: fetched.unchanged ? etag : fetched.etag } : undefined;
		if (!isUsable) tried += 1;
		return isUsable;
	};
	const readOnce = async (): Promise<boolean> => {
		let problem: string | undefined;
		const instances = candidates(watch.current().instances, source?.instance, tried);
		for (const instance of instances) {
			try {
				if (await deps.isHealthy(service, instance)) return await readFrom(instance);
			} catch (error) {
				problem = `${path} ${(error as Error).message}`;
				if (!(error instanceof InstanceError)) break;
			}
		}
		if (isStopped) return true;
		// One less than are tried beside a source: no instance is skipped.
		tried += triesMax - 1;
		if (problem !== undefined) deps.onProblem(problem);
		else deps.onUnreachable(instances.length === 0 ? 'no instance is known' : 'no instance is healthy');
		return false;
	};
	const schedule = (ms: number): void => {
		clearTimeout(timer);
		if (!isStopped) timer = setTimeout(read, Math.max(ms, notBefore - performance.now())).unref();
	};
	function read(): void {
		isReading = true;
		isDue = false;
		void readOnce().then((isUsable) => {
			isReading = false;
			failures = isUsable ? 0 : failures + 1;
			notBefore = performance.now() + Math.max(pauseMs, judgedMs * pauseFactor);
			schedule(isDue ? 0 : untilNext(failures, deps.refreshMs));
		});
	}
	const changed = (): void => {
		failures = 0;
		if (isReading) isDue = true;
		else schedule(0);
	};
	const unsubscribe = watch.onChange(changed);
	read();
	return () => {
		isStopped = true;
		clearTimeout(timer);
		unsubscribe();
		watch.stop();
	};
}

/** The source first, while it is known; then the next ones after those that were tried in vain. */
function candidates(
	instances: readonly Instance[],
	source: Instance | undefined,
	tried: number,
): readonly Instance[] {
	const same = instances.find(({ id, url }) => id === source?.id && url === source.url);
	const others = instances.filter((each) => each !== same);
	const first = others.length === 0 ? 0 : tried % others.length;
	const ordered = [...(same === undefined ? [] : [same]), ...others.slice(first), ...others.slice(0, first)];
	return ordered.slice(0, triesMax);
}

function untilNext(failures: number, refreshMs: number): number {
	return failures === 0 ? refreshMs : Math.min(retryMs * 2 ** Math.min(failures - 1, 10), refreshMs);
}
