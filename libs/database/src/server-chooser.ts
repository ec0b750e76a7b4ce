import { Client, type ClientConfig } from 'pg';
import type { ServerUrls } from './server-urls.ts';

export interface ServerChooser {
	readonly count: number;
	/** The address for the next connection. */
	current(): string;
	/** The next connection goes to the next server, unless another caller has moved on from this one already. */
	failed(url: string): void;
}

/** Stays at a server until a connection to it fails: after a failover each connection would try the lost one first. */
export function createServerChooser({ urls }: ServerUrls): ServerChooser {
	let index = 0;
	const current = (): string => urls[index] ?? urls[0];
	return {
		count: urls.length,
		current,
		failed: (url) => {
			if (url === current()) index = (index + 1) % urls.length;
		},
	};
}

/** A client class for pg's pool that connects to the chosen server, with a part of the pool's time-out for each. */
export function clientOf(chooser: ServerChooser, connectTimeoutMs: number): new () => Client {
	return class ChosenClient extends Client {
		constructor(config?: ClientConfig) {
			super({
				...config,
				connectionString: chooser.current(),
				connectionTimeoutMillis: Math.ceil(connectTimeoutMs / chooser.count),
			});
		}
	};
}
