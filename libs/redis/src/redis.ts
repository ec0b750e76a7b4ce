import { hash } from 'node:crypto';

/** A Lua script with the digest by which a server knows it. */
export interface Script {
	readonly lua: string;
	readonly sha1: string;
}

export function createScript(lua: string): Script {
	return { lua, sha1: hash('sha1', lua) };
}

/**
 * The message is that of the client or of the server. It never contains the password; that of a failed connection contains
 * the address, so it is only for the log.
 */
export class RedisUnavailableError extends Error {
	override readonly name = 'RedisUnavailableError';
}

/** A server that speaks the protocol of Redis 6.2 or later, such as Redis or Valkey; no modules are needed. */
export interface Redis {
	/** Whether calls are sent; false while the circuit breaker is open. */
	available(): boolean;
	/** Runs a script atomically in one round trip. Integers arrive as numbers. @throws RedisUnavailableError, also if refused */
	run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
	close(): void;
}
