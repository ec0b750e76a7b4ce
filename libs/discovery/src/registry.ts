import type { SharedValues } from '@paddock/resilience';

export interface Instance {
	/** Unique within its service. */
	id: string;
	/** An IP literal in its canonical form (IPv6 without brackets) or a DNS name in lower case. */
	address: string;
	port: number;
	/** `http://host:port`, IPv6 in brackets, without a trailing slash; with TLS too, see `MutualTls`. */
	url: string;
}

export interface ServiceSnapshot {
	/** Sorted by id. */
	instances: readonly Instance[];
	/** The registry is unreachable or suddenly listed no usable instance: `instances` are the last known ones. */
	stale: boolean;
	/** The registry responds, and suddenly lists no usable instance; implies `stale`. */
	unlisted: boolean;
	/** The time the registry last confirmed `instances`. Undefined before the first response. */
	lastResponseAt: Date | undefined;
	/** The number of refused entries in the last response, see `checkAddress`. */
	rejected: number;
}

export interface RegistryStatus {
	kind: 'consul' | 'dns' | 'kubernetes' | 'static';
	/** The registry returned an HTTP response to the most recent call, of any kind. */
	reachable: boolean;
	/** The address of Consul's Raft leader; undefined if there is none or it is unknown. */
	leader: string | undefined;
	lastResponseAt: Date | undefined;
	/** The newest failure not yet followed by a success of the same kind of call. */
	lastError: string | undefined;
}

export interface Registration {
	name: string;
	/** Unique among all instances of all services. */
	id: string;
	/** The address at which other processes reach this one: an IP address or a DNS name, without brackets. */
	address: string;
	port: number;
	/** Whether the port requires TLS with a client certificate. */
	secure?: boolean;
	healthPath: string;
	checkIntervalMs: number;
	checkTimeoutMs: number;
	tags?: readonly string[];
}

export interface RegistrationHandle {
	/** Removes the instance from the registry. Never throws and takes at most 2 s; a failure is logged. */
	deregister(): Promise<void>;
	registered(): boolean;
}

export interface Watch {
	current(): ServiceSnapshot;
	/** Calls the listener when instances or staleness change. Returns the function to unsubscribe. */
	onChange(listener: (snapshot: ServiceSnapshot) => void): () => void;
	/** Whether the registry has responded about this service, or has failed and the restored instances are used. */
	responded(): boolean;
	/** Stops this observer only; other observers of the same service continue. */
	stop(): void;
}

export interface Registry {
	readonly kind: RegistryStatus['kind'];
	/** Observers of the same service share one query. */
	watch(serviceName: string): Watch;
	/** Registers in the background, and again when the entry is lost. */
	register(registration: Registration): RegistrationHandle;
	status(): RegistryStatus;
	/** Values that all processes share, under a prefix; absent if this kind of registry stores none. `close` stops them. */
	readonly sharedValues?: (prefix: string) => SharedValues;
	/** Stops watches, timers and sockets. Registrations are not removed: deregister first. */
	close(): Promise<void>;
}

/** Creates the instance at a checked address; the id defaults to `address:port`. */
export function instanceAt(address: string, port: number, id?: string): Instance {
	const host = address.includes(':') ? `[${address}]` : address;
	return { id: id ?? `${host}:${port}`, address, port, url: `http://${host}:${port}` };
}

export function sameInstances(a: readonly Instance[], b: readonly Instance[]): boolean {
	return a.length === b.length && a.every(({ id, url }, i) => id === b[i]?.id && url === b[i]?.url);
}
