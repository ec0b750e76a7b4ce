import { setTimeout as delay } from 'node:timers/promises';
import { parseConsulAddress } from '@paddock/discovery/consul-address';
import { StartError } from './start-error.ts';

const pollMs = 250;
const responseTimeoutMs = 2_000;

/**
 * Resolves when the Consul of CONSUL_HTTP_ADDR has a leader. Without one no service would find another: the gateway would
 * never be ready, and the cause would be one of many warnings.
 * @throws StartError after `withinMs`, which allows for a Consul that starts at the same time.
 */
export async function waitForConsul(address: string, withinMs: number, signal: AbortSignal): Promise<void> {
	const { host, port, secure } = parseConsulAddress(address);
	const url = `${secure ? 'https' : 'http'}://${host}:${port}/v1/status/leader`;
	for (const deadline = performance.now() + withinMs; ; await delay(pollMs, undefined, { signal })) {
		const problem = await problemOf(url, signal);
		if (problem === undefined) return;
		if (performance.now() < deadline) continue;
		throw new StartError(
			`Consul at ${address} (CONSUL_HTTP_ADDR) is not usable after ${withinMs / 1_000} s: ${problem}; start it, or unset CONSUL_HTTP_ADDR`,
		);
	}
}

async function problemOf(url: string, signal: AbortSignal): Promise<string | undefined> {
	try {
		const limited = AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]);
		const response = await fetch(url, { signal: limited });
		const leader = await response.text();
		if (!response.ok) return `it responds with ${response.status}`;
		return leader === '""' ? 'it has no leader' : undefined;
	} catch (error) {
		signal.throwIfAborted();
		return reasonOf(error);
	}
}

/** fetch() hides the reason in the cause: `connect ECONNREFUSED 127.0.0.1:8500`. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause instanceof Error ? error.cause : error;
	return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
