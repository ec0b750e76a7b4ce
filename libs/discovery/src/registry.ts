/** One place where a service answers. */
export interface Instance {
	/** Unique within its service. */
	id: string;
	/** An IP literal in its canonical form (IPv6 without brackets) or a DNS name in lower case. */
	address: string;
	port: number;
	/** `http://host:port`, IPv6 in brackets, without a slash at the end. */
	url: string;
}

/** What is known about one service at one moment. */
export interface ServiceSnapshot {
	/** Sorted by id. */
	instances: readonly Instance[];
	/** The registry is unreachable, or it suddenly named no usable instance: `instances` are the last known ones. */
	stale: boolean;
	/**
	 * When the registry last vouched for `instances`; while they are stale this stands still, so that their age can
	 * be shown. Undefined before the first answer.
	 */
	lastAnswerAt: Date | undefined;
	/** Entries of the last answer that were refused, see `checkAddress`. */
	rejected: number;
}

/** The state of the connection to the registry itself. */
export interface RegistryStatus {
	kind: 'consul' | 'static';
	/** The registry gave an HTTP answer to the last call, whichever it was. */
	reachable: boolean;
	/** The address of Consul's Raft leader; undefined while there is none or it isn't known. */
	leader: string | undefined;
	/** The last valid answer to any call. */
	lastAnswerAt: Date | undefined;
	/** The newest failure that hasn't been followed by a success of the same kind of call. */
	lastError: string | undefined;
}

/** What a process says about itself. */
export interface Registration {
	/** The service, for example `horses-service`. */
	name: string;
	/** Unique among all instances of all services. */
	id: string;
	/** Where others reach this process: an IP address or a DNS name, without brackets. */
	address: string;
	port: number;
	/** The path of the health check, for example `/health`. */
	healthPath: string;
	checkIntervalMs: number;
	checkTimeoutMs: number;
	tags?: readonly string[];
}

/** The way out of a registration. */
export interface RegistrationHandle {
	/** Tells the registry that the instance is gone. Never throws and takes 2 s at most; a failure is logged. */
	deregister(): Promise<void>;
	/** The registry is known to list the instance. */
	registered(): boolean;
}

/** One observer of one service. */
export interface Watch {
	current(): ServiceSnapshot;
	/**
	 * Calls the listener whenever the set of instances or the staleness changed, never for an answer that says the
	 * same again, and not for the state at the time of subscribing. Returns the way to unsubscribe.
	 */
	onChange(listener: (snapshot: ServiceSnapshot) => void): () => void;
	/** The registry has given at least one valid answer about this service, an empty one included. */
	answered(): boolean;
	/** Ends this observer only; others of the same service go on. */
	stop(): void;
}

/** Where services are found and announced. */
export interface Registry {
	readonly kind: 'consul' | 'static';
	/** Observers of the same service share one query. */
	watch(serviceName: string): Watch;
	/** Returns at once; registers in the background, again and again until it holds, and again when it is forgotten. */
	register(registration: Registration): RegistrationHandle;
	status(): RegistryStatus;
	/** Stops watches, timers and sockets. Registrations are left as they are: deregister first. */
	close(): Promise<void>;
}
