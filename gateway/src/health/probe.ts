import type { MutualTls } from '@paddock/discovery';
import { AxiosError } from 'axios';
import type { Context } from '../contexts/context.ts';
import { openInternalClient } from '../upstream/internal-client.ts';
import { healthStatus, type InstanceHealth } from './health-schemas.ts';

/** The part of an instance's health that its own response shows. */
export type ProbeResult = Pick<
	InstanceHealth,
	'status' | 'reason' | 'statusCode' | 'message' | 'components' | 'peers' | 'latencyMs'
>;

export interface Probe {
	readonly result: ProbeResult;
	/** False if the connection was refused or broken, or timed out. Undefined if this is unknown. */
	readonly responded: boolean | undefined;
}

export interface Prober {
	/** Requests the health of an instance of the context once, `<url>/health`; never rejects. */
	probe(context: Pick<Context, 'service' | 'attached'>, url: string): Promise<Probe>;
	close(): void;
}

const responseBytesMax = 64 * 1024;
const textCharsMax = 200;

/** Probes instances over separate connections, so that a stuck connection pool is detected. */
export function openProber(settings: { timeoutMs: number; tls?: MutualTls | undefined }): Prober {
	const { timeoutMs, tls } = settings;
	const client = openInternalClient({ timeoutMs, socketsMax: 2, tls });
	return {
		probe: async ({ service, attached }, url) => {
			const startedAt = performance.now();
			const latencyMs = () => Math.round((performance.now() - startedAt) * 10) / 10;
			try {
				const response = await client.request(service, {
					url: url + (attached?.healthPath ?? '/health'),
					maxContentLength: responseBytesMax,
					validateStatus: () => true,
				});
				return {
					result: { ...judge(response.status, response.data), latencyMs: latencyMs() },
					responded: true,
				};
			} catch (error) {
				const result = { ...describe(error, timeoutMs), latencyMs: latencyMs() };
				return { result, responded: hasResponded(error, result.latencyMs > 2 * timeoutMs) };
			}
		},
		close: client.close,
	};
}

function judge(statusCode: number, body: unknown): Omit<ProbeResult, 'latencyMs'> {
	if (statusCode === 200) {
		const parts = { ...componentsOf(body), ...peersOf(body) };
		if (memberOf(memberOf(body, 'data'), 'status') !== 'DEGRADED') return { status: 'UP', ...parts };
		return { status: 'DEGRADED', reason: 'ERROR', message: messageOf(body) ?? 'Works in part', ...parts };
	}
	if (statusCode === 404) {
		return {
			status: 'UNKNOWN',
			reason: 'NO_HEALTH_ENDPOINT',
			statusCode,
			message: 'The instance has no /health endpoint',
		};
	}
	return {
		status: 'DOWN',
		reason: 'ERROR',
		statusCode,
		message: messageOf(body) ?? `/health responded with ${statusCode}`,
		...componentsOf(body),
	};
}

const silentCodes: ReadonlySet<string | undefined> = new Set([
	...[AxiosError.ERR_CANCELED, AxiosError.ETIMEDOUT, AxiosError.ECONNABORTED],
	...[
		'ECONNREFUSED',
		'ECONNRESET',
		'EPIPE',
		'EHOSTUNREACH',
		'EHOSTDOWN',
		'ENETUNREACH',
		'ENETDOWN',
		'ENOTFOUND',
	],
]);

/** @param late the timeout was noticed so late that this process stood still, and not the instance */
function hasResponded(error: unknown, late: boolean): boolean | undefined {
	const isSilent = error instanceof AxiosError && error.response === undefined && silentCodes.has(error.code);
	if (!isSilent) return true;
	return late ? undefined : false;
}

/** The failure without addresses, because the view may be public. */
function describe(error: unknown, timeoutMs: number): Omit<ProbeResult, 'latencyMs'> {
	const code = error instanceof AxiosError ? error.code : undefined;
	if (code === AxiosError.ERR_CANCELED || code === AxiosError.ETIMEDOUT) {
		return { status: 'DOWN', reason: 'TIMEOUT', message: `No response within ${timeoutMs} ms` };
	}
	return { status: 'DOWN', reason: 'ERROR', message: `No valid response (${code ?? 'unknown error'})` };
}

function messageOf(body: unknown): string | undefined {
	const message = memberOf(body, 'message');
	return typeof message === 'string' ? message.slice(0, textCharsMax) : undefined;
}

const componentsMax = 20;
const nameCharsMax = 100;

/** The components of Spring Boot Actuator's health format, without details other than the error. */
function componentsOf(body: unknown): Pick<ProbeResult, 'components'> {
	const reported = memberOf(memberOf(body, 'data'), 'components');
	if (typeof reported !== 'object' || reported === null) return {};
	const components = Object.entries(reported).flatMap(([name, value]) => {
		const status = healthStatus.safeParse(memberOf(value, 'status'));
		if (!status.success || name.length > nameCharsMax) return [];
		const error = memberOf(memberOf(value, 'details'), 'error');
		const details = typeof error === 'string' ? { details: { error: error.slice(0, textCharsMax) } } : {};
		return [[name, { status: status.data, ...details }] as const];
	});
	return components.length === 0
		? {}
		: { components: Object.fromEntries(components.slice(0, componentsMax)) };
}

const peersMax = 20;

function peersOf(body: unknown): Pick<ProbeResult, 'peers'> {
	const reported = memberOf(memberOf(body, 'data'), 'peers');
	if (typeof reported !== 'object' || reported === null) return {};
	const peers = Object.entries(reported).filter(
		(entry): entry is [string, 'OPEN' | 'HALF_OPEN'] => entry[1] === 'OPEN' || entry[1] === 'HALF_OPEN',
	);
	return peers.length === 0 ? {} : { peers: Object.fromEntries(peers.slice(0, peersMax)) };
}

function memberOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
