import type { EmbeddedPostgres } from '@paddock/database/embedded';

/** Jest calls set-up and tear-down in one process but hands nothing from one to the other. */
const key = Symbol.for('paddock.testing.startedServer');

export function setStartedServer(server: EmbeddedPostgres): void {
	Reflect.set(globalThis, key, server);
}

export function startedServer(): EmbeddedPostgres | undefined {
	return Reflect.get(globalThis, key);
}
