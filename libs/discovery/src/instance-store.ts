import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '@paddock/telemetry';
import { checkEntries, fieldOf, type IsForbidden } from './check-entries.ts';
import { type Instance, sameInstances } from './registry.ts';

/** The instances of a service and the time at which the registry confirmed them. */
export interface KnownInstances {
	readonly instances: readonly Instance[];
	readonly confirmedAt: Date;
}

/** The last known instances on disk, for a process that starts while the registry doesn't respond. */
export type InstanceStore = ReturnType<typeof openInstanceStore>;

interface InstanceStoreDeps {
	file: string;
	ageMaxMs: number;
	isForbidden: IsForbidden;
	logger: Logger;
	now: () => Date;
	delayMs?: number;
}

const bytesMax = 1024 * 1024;
const idLengthMax = 256;
const confirmationMsMax = 60_000;

/** Opens the file; an invalid one is ignored, as is each invalid instance: who can write it must not redirect requests. */
export function openInstanceStore(deps: InstanceStoreDeps) {
	const { file, logger, now, ageMaxMs, delayMs = 1_000 } = deps;
	const confirmationMs = Math.min(confirmationMsMax, ageMaxMs / 4);
	const services = readServices(deps);
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();
	let failing = false;
	/** Undefined before the first write and after a failed one. */
	let writtenAt: Date | undefined;
	let pending = false;

	async function write(): Promise<void> {
		pending = false;
		writtenAt = now();
		// Several containers may use the directory, and in each the process has the same id.
		const partial = `${file}.${randomUUID()}`;
		const text = JSON.stringify({ services: Object.fromEntries([...services].map(writable)) });
		try {
			if (Buffer.byteLength(text) > bytesMax) throw new Error(`larger than ${bytesMax} bytes`);
			await mkdir(dirname(file), { recursive: true });
			// Renamed when complete; a process that is killed in between leaves the former file.
			await writeFile(partial, text, { mode: 0o600 });
			await rename(partial, file);
			failing = false;
		} catch (error) {
			if (!failing) logger.warn('last known instances could not be written', { file, error });
			failing = true;
			writtenAt = undefined;
			// Best effort: the failure that matters is logged.
			await rm(partial, { force: true }).catch(() => undefined);
		}
	}
	function flush(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		writing = writing.then(write);
		return writing;
	}

	/** A wall clock that was set back makes it true. */
	const confirmationDue = (): boolean => {
		const sinceMs = writtenAt === undefined ? -1 : now().getTime() - writtenAt.getTime();
		return sinceMs < 0 || sinceMs >= confirmationMs;
	};

	return {
		/** The instances at the last end of the process; undefined if unknown, invalid or older than the maximum age. */
		restore: (service: string): KnownInstances | undefined => services.get(service),
		/** Writes changed instances after a short delay, a mere confirmation at intervals; a failure is logged. */
		record: (service: string, known: KnownInstances): void => {
			const former = services.get(service);
			services.set(service, known);
			pending = true;
			const isChange = former === undefined || !sameInstances(former.instances, known.instances);
			if (isChange || confirmationDue()) timer ??= setTimeout(flush, delayMs).unref();
		},
		/** Writes pending changes. */
		close: (): Promise<void> => (pending ? flush() : writing),
	};
}

function writable([service, { instances, confirmedAt }]: [string, KnownInstances]) {
	const listed = instances.map(({ id, address, port }) => ({ id, address, port }));
	return [service, { confirmedAt: confirmedAt.toISOString(), instances: listed }] as const;
}

function readServices(deps: InstanceStoreDeps): Map<string, KnownInstances> {
	try {
		const services = fieldOf(JSON.parse(readBounded(deps.file)), 'services');
		const entries = typeof services === 'object' && services !== null ? Object.entries(services) : [];
		return new Map(
			entries.flatMap(([service, value]) => {
				const known = readKnown(service, value, deps);
				return known === undefined ? [] : [[service, known] as const];
			}),
		);
	} catch (error) {
		if (fieldOf(error, 'code') !== 'ENOENT') {
			deps.logger.warn('last known instances could not be read', { file: deps.file, error });
		}
		return new Map();
	}
}

/** @throws Error if the file is missing, unreadable or too large. */
function readBounded(file: string): string {
	const descriptor = openSync(file, 'r');
	try {
		const buffer = Buffer.alloc(bytesMax + 1);
		const length = readSync(descriptor, buffer);
		if (length > bytesMax) throw new Error(`larger than ${bytesMax} bytes`);
		return buffer.toString('utf8', 0, length);
	} finally {
		closeSync(descriptor);
	}
}

function readKnown(service: string, value: unknown, deps: InstanceStoreDeps): KnownInstances | undefined {
	const confirmedAt = new Date(String(fieldOf(value, 'confirmedAt')));
	const ageMs = deps.now().getTime() - confirmedAt.getTime();
	// A time in the future would make the instances never expire.
	if (!(ageMs >= 0 && ageMs <= deps.ageMaxMs)) return undefined;
	const listed = fieldOf(value, 'instances');
	const entries = (Array.isArray(listed) ? listed : []).flatMap((entry) => {
		const [id, address, port] = ['id', 'address', 'port'].map((name) => fieldOf(entry, name));
		return typeof id === 'string' && id !== '' && id.length <= idLengthMax ? [{ id, address, port }] : [];
	});
	const isForbidden = (address: string, port: number) => deps.isForbidden(address, port, service);
	return { instances: checkEntries(entries, isForbidden).instances, confirmedAt };
}
