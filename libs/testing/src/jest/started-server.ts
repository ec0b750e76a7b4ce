import type { EmbeddedPostgres } from '@paddock/database/embedded';

/** Jest runs set-up and tear-down in one process but passes no value between them. */
const key = Symbol.for('paddock.testing.startedServer');

export function setStartedServer(server: EmbeddedPostgres): void {
	Reflect.set(globalThis, key, server);
}

export function startedServer(): EmbeddedPostgres | undefined {
	return Reflect.get(globalThis, key);
}
