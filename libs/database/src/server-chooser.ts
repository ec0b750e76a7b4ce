import { Client, type ClientBase, type ClientConfig } from 'pg';
import type { ServerUrls } from './server-urls.ts';

export interface ServerChooser {
	readonly count: number;
	/** The address for the next connection. */
	current(): string;
	/** The next connection goes to the next server, unless another caller has moved on from this one already. */
	failed(url: string): void;
	/** The address of each client. */
	readonly addresses: WeakMap<ClientBase, string>;
}

/** Stays at a server until a connection to it fails: after a failover each connection would try the lost one first. */
export function createServerChooser({ urls }: ServerUrls): ServerChooser {
	let index = 0;
	const current = (): string => urls[index] ?? urls[0];
	return {
		count: urls.length,
		current,
		addresses: new WeakMap(),
		failed: (url) => {
			if (url === current()) index = (index + 1) % urls.length;
		},
	};
}

/** A client class for pg's pool that connects to the chosen server, each with this time-out. */
export function clientOf(chooser: ServerChooser, timeoutMs: number): new () => Client {
	return class ChosenClient extends Client {
		constructor(config?: ClientConfig) {
			const url = chooser.current();
			super({
				...config,
				connectionString: url,
				connectionTimeoutMillis: timeoutMs,
			});
			chooser.addresses.set(this, url);
		}
	};
}
