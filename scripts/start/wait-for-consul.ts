import type { RequestOptions } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConsulVariables, readConsulAccess } from '@paddock/discovery/consul-access';
import { consulUrl, parseConsulAddresses } from '@paddock/discovery/consul-address';
import { StartError } from './start-error.ts';
import { getText } from './wait-until-ready.ts';

const pollMs = 250;
const responseTimeoutMs = 2_000;

/**
 * Resolves when the Consul of CONSUL_HTTP_ADDR has a leader; without one no service would find another.
 * @throws StartError after `withinMs`, which allows for a Consul that starts at the same time.
 */
export async function waitForConsul(
	address: string,
	variables: ConsulVariables,
	withinMs: number,
	signal: AbortSignal,
): Promise<void> {
	const access = accessOf(variables);
	const urls = parseConsulAddresses(address, access).map((each) => `${consulUrl(each)}/v1/status/leader`);
	for (const deadline = performance.now() + withinMs; ; await delay(pollMs, undefined, { signal })) {
		const problems = await Promise.all(urls.map((url) => problemOf(url, access.tls, signal)));
		if (problems.includes(undefined)) return;
		if (performance.now() < deadline) continue;
		throw new StartError(
			`Consul at ${address} (CONSUL_HTTP_ADDR) is not usable after ${withinMs / 1_000} s: ${problems.join('; ')}; start it, or unset CONSUL_HTTP_ADDR`,
		);
	}
}

/** @throws StartError for an unreadable file. */
function accessOf(variables: ConsulVariables) {
	try {
		return readConsulAccess(variables);
	} catch (error) {
		throw new StartError(`A file of Consul's settings can't be read: ${reasonOf(error)}`);
	}
}

async function problemOf(
	url: string,
	tls: RequestOptions | undefined,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		const limited = AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]);
		const { status, body: leader } = await getText(url, { ...tls, signal: limited });
		if (status !== 200) return `it responds with ${status}`;
		return leader === '""' ? 'it has no leader' : undefined;
	} catch (error) {
		signal.throwIfAborted();
		return reasonOf(error);
	}
}

/** Aborting hides the reason in the cause: the time-out. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause instanceof Error ? error.cause : error;
	return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
