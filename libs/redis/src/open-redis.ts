import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { openCircuitBreaker, type SharedValues, type StoredValues, sharedValues } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import type { Redis as Client } from 'ioredis';

/** A Lua script with the digest by which a server knows it. */
interface Script {
	readonly lua: string;
	readonly sha1: string;
}

export function createScript(lua: string): Script {
	return { lua, sha1: hash('sha1', lua) };
}

/** With the message of the client or the server: never the password, but maybe the address, so for the log only. */
export class RedisUnavailableError extends Error {
	override readonly name = 'RedisUnavailableError';
}

/** A server that speaks the protocol of Redis 6.2 or later, such as Redis or Valkey; no modules are needed. */
export type Redis = Awaited<ReturnType<typeof openRedis>>;

interface RedisDeps {
	readonly url: string;
	/** Timeout of one call in milliseconds. */
	readonly timeoutMs: number;
	readonly logger: Logger;
	readonly now: () => Date;
}

/** One failure in a hundred calls opens the breaker: a frozen server delays few calls, whatever the load. */
const breakerSettings = { windowMs: 10_000, volume: 1, failurePercent: 1, openMs: 1_000 };
// An idle process must notice an outage, and its end, without requests.
const probeMs = 1_000;
const connectMsMax = 2_000;
// Longer than `probeMs`. A connection over which nothing returns may lead to a host that no longer exists.
const silenceMsMax = 5_000;
const reconnectMsMax = 1_000;
const probePauseMs = 50;

// Replies about the keys or the script of one call, also if its script has caused them: Redis itself is available.
const refusalPattern = /\b(NOPERM|WRONGTYPE|NOSCRIPT)\b/;

/** Connects, within two seconds or in the background; calls without a connection fail at once. Outages are logged once. */
export async function openRedis(deps: RedisDeps) {
	const client = await createClient(deps);
	let connectionError: string | undefined;
	const refusals = new Set<string>();
	// Without a listener the client writes to stderr.
	client.on('error', (error: Error) => {
		connectionError = error.message;
	});
	client.on('ready', () => {
		connectionError = undefined;
		refusals.clear();
	});
	// A failed connection says more than the failed call.
	const messageOf = (cause: unknown) =>
		connectionError ?? (cause instanceof Error ? cause.message : String(cause));
	// A write: a replica and a server without memory refuse it, but would respond to PING.
	const probe = () => within(deps.timeoutMs, client.set('paddock:probe', '1', 'PX', probeMs));
	const breaker = openCircuitBreaker({
		settings: breakerSettings,
		now: deps.now,
		mayProbe: () => probe().then(isTrue, isFalse),
		onTransition: ({ to, cause }) => {
			if (to === 'OPEN') deps.logger.warn('redis unavailable', { error: messageOf(cause) });
			if (to === 'CLOSED') deps.logger.info('redis available again');
			// The probe has just succeeded, so no request needs to be one.
			if (to === 'HALF_OPEN') breaker.admit()?.succeeded();
		},
	});
	const attempt = async <T>(call: () => Promise<T>): Promise<T> => {
		const admission = breaker.admit();
		if (admission === undefined) throw new RedisUnavailableError('circuit breaker open');
		try {
			const result = await call();
			admission.succeeded();
			return result;
		} catch (cause) {
			admission.failed(cause);
			// The client's errors hold the arguments of the call, a password included, so they are no cause.
			throw new RedisUnavailableError(messageOf(cause));
		}
	};
	// The breaker has counted the failure.
	const check = () => (breaker.admits() ? attempt(probe).then(isTrue, isFalse) : Promise.resolve(false));
	await responds(probe);
	await check();
	const timer = setInterval(() => void check(), probeMs);
	timer.unref();
	return {
		/** Whether calls are sent; false while the circuit breaker is open. */
		available: (): boolean => breaker.admits(),
		/** Runs a script atomically in one round trip. Integers arrive as numbers. @throws RedisUnavailableError, also if refused */
		run: async (
			script: Script,
			keys: readonly string[],
			args: readonly (string | number)[],
		): Promise<unknown> => {
			const call = () => within(deps.timeoutMs, runScript(client, script, keys, args));
			const reply = await attempt(() => call().catch(asRefusal));
			if (!(reply instanceof Refusal)) return reply;
			const { message } = reply;
			if (!refusals.has(message)) deps.logger.warn('redis refuses a script', { error: message });
			refusals.add(message);
			throw new RedisUnavailableError(message);
		},
		close: (): void => {
			clearInterval(timer);
			breaker.close();
			client.disconnect();
		},
	};
}

async function createClient({ url }: RedisDeps): Promise<Client> {
	// Loaded here: processes without Redis need none of it.
	const { Redis } = await import('ioredis');
	return new Redis(url, {
		connectTimeout: connectMsMax,
		socketTimeout: silenceMsMax,
		retryStrategy: (times) => Math.min(reconnectMsMax, 50 * 2 ** Math.min(times, 10)),
		// A call that waits for a connection would delay its request; one that is sent twice would count it twice.
		enableOfflineQueue: false,
		autoResendUnfulfilledCommands: false,
		maxRetriesPerRequest: 0,
		// Handshakes that some servers and access lists refuse; the probe replaces them.
		enableReadyCheck: false,
		disableClientInfo: true,
		protocol: 2,
	});
}

/** Resolves when the server responds, or after `connectMsMax`: the start of a process is not an outage of Redis. */
async function responds(probe: () => Promise<unknown>): Promise<void> {
	const endMs = performance.now() + connectMsMax;
	while (!(await probe().then(isTrue, isFalse)) && performance.now() < endMs) await wait(probePauseMs);
}

/** Rejects a slow call. Not by `commandTimeout`: a delay of this process must not count as an outage of Redis. */
function within<T>(timeoutMs: number, call: Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => setImmediate(() => reject(new Error('Command timed out'))), timeoutMs);
		call.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}

/** The server forgets scripts when it restarts; then the text is sent. */
async function runScript(
	client: Client,
	{ sha1, lua }: Script,
	keys: readonly string[],
	args: readonly (string | number)[],
): Promise<unknown> {
	const rest = [...keys, ...args];
	try {
		return await client.evalsha(sha1, keys.length, ...rest);
	} catch (error) {
		if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
		return client.eval(lua, keys.length, ...rest);
	}
}

/** A reply that refuses one call. */
class Refusal {
	readonly message: string;
	constructor(message: string) {
		this.message = message;
	}
}

/** @throws the cause, unless it is a refusal */
function asRefusal(cause: unknown): Refusal {
	if (cause instanceof Error && cause.name === 'ReplyError' && refusalPattern.test(cause.message))
		return new Refusal(cause.message);
	throw cause;
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

const periodMs = 500;

// The value at the prefix itself is one too, as in Consul.
const readScript = createScript(`return { redis.call('GET', KEYS[1]), redis.call('HGETALL', KEYS[2]) }`);
const writeScript = createScript(`
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
return 1
`);

/** Values in Redis, the fields of the hash at `prefix` and a slash, read twice a second. The key '' is only read. */
export function redisValues(
	redis: Redis,
	prefix: string,
	{ random, logger }: { readonly random: () => number; readonly logger: Logger },
): SharedValues {
	const read = async (): Promise<StoredValues> => {
		const [own, fields] = (await redis.run(readScript, [prefix, `${prefix}/`], [])) as [
			string | null,
			string[],
		];
		const values = new Map(own === null ? [] : [['', { text: own, version: own }]]);
		for (let at = 0; at < fields.length; at += 2) {
			const text = fields[at + 1] as string;
			values.set(fields[at] as string, { text, version: text });
		}
		return values;
	};
	return sharedValues(
		{
			next: read,
			read,
			write: async (key, text = '', version = '') =>
				(await redis.run(writeScript, [`${prefix}/`], [key, version, text])) === 1,
		},
		{ prefix, periodMs, random, logger },
	);
}
