import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { tlsOptions } from '../tls-options.ts';
import type { Running } from './keep-running.ts';
import { StartError } from './start-error.ts';

const pollMs = 100;
const pollMsMax = 2_000;
const responseTimeoutMs = 2_000;

type Response = Awaited<ReturnType<typeof getText>>;

/** Resolves when the address returns 200; rejects only if the signal is aborted. */
async function waitUntilReady(url: string, signal: AbortSignal): Promise<void> {
	while ((await statusOf(url, signal)) !== 200) await delay(pollMs, undefined, { signal });
}

interface Starting {
	readonly readyUrl: string;
	/** Without a limit it may take any time. */
	readonly withinMs?: number | undefined;
	/** The message if it exits before it is ready. */
	readonly exitedEarly: (reason: string) => string;
	/** The message if it is not ready in time. */
	readonly late: string;
}

/** Resolves when a started process is ready, else stops it. @throws StartError if it exits first or is late; the signal's reason */
export async function waitForStart(
	running: Running,
	{ readyUrl, withinMs, exitedEarly, late }: Starting,
	signal: AbortSignal,
): Promise<void> {
	const given = new AbortController();
	const limits = withinMs === undefined ? [] : [AbortSignal.timeout(withinMs)];
	const ready = waitUntilReady(readyUrl, AbortSignal.any([signal, given.signal, ...limits]));
	try {
		const early = await Promise.race([ready.then(() => undefined), running.exited]);
		if (early !== undefined) throw new StartError(exitedEarly(early));
	} catch (error) {
		await running.stop();
		throw limits[0]?.aborted === true ? new StartError(late) : error;
	} finally {
		given.abort();
		ready.catch(() => {}); // If the exit wins the race, it has been reported above; this rejection adds nothing.
	}
}

/** Resolves when these components are UP. With increasing delays: unlike readiness, this page is rate-limited. */
export async function waitUntilUp(
	healthUrl: string,
	components: readonly string[],
	signal: AbortSignal,
): Promise<void> {
	let waitMs = pollMs;
	while (!areUp(await poll(healthUrl, signal), components)) {
		await delay(waitMs, undefined, { signal });
		waitMs = Math.min(2 * waitMs, pollMsMax);
	}
}

/** The status of a GET; undefined without a response. */
export async function statusOf(url: string, signal: AbortSignal): Promise<number | undefined> {
	return (await poll(url, signal))?.status;
}

function areUp(response: Response | undefined, components: readonly string[]): boolean {
	if (response?.status !== 200) return false;
	try {
		const { data } = JSON.parse(response.body) as {
			data?: { components?: Record<string, { status?: unknown }> };
		};
		return components.every((name) => data?.components?.[name]?.status === 'UP');
	} catch {
		return false; // Cut off, or not JSON; the next poll decides.
	}
}

/** Undefined if nothing listens yet or the response is late. @throws the signal's reason when it is aborted */
async function poll(url: string, signal: AbortSignal): Promise<Response | undefined> {
	const limited = AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]);
	const tls = url.startsWith('https:') ? tlsOptions(process.env) : {};
	const response = await getText(url, { ...tls, signal: limited }).catch(() => undefined);
	signal.throwIfAborted();
	return response;
}

/** The response to a GET, without an agent: the next attempt must not use a failed connection. fetch() has no certificates. */
export async function getText(url: string, options: https.RequestOptions) {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const client = url.startsWith('https:') ? https : http;
	client.get(url, { ...options, agent: false }, resolve).on('error', reject);
	const response = await promise;
	return { status: response.statusCode, body: await text(response) };
}
