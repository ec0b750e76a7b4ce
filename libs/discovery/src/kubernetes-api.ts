import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import type { RegistryEntry } from './check-entries.ts';

/** The fields in use. https://kubernetes.io/docs/reference/kubernetes-api/service-resources/endpoint-slice-v1/ */
export interface EndpointSlice {
	readonly metadata: { readonly name: string; readonly resourceVersion: string };
	readonly addressType: 'IPv4' | 'IPv6' | 'FQDN';
	readonly endpoints?: readonly Endpoint[] | null;
	readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
}

interface Endpoint {
	/** All of them lead to the same pod. */
	readonly addresses: readonly string[];
	/** An absent value counts as ready and serving. */
	readonly conditions?: {
		readonly ready?: boolean;
		/** Like `ready`, regardless of termination. */
		readonly serving?: boolean;
		readonly terminating?: boolean;
	};
	readonly targetRef?: { readonly name?: string };
}

type Condition = (endpoint: Endpoint) => boolean;

const isReady: Condition = ({ conditions: { ready, terminating } = {} }) =>
	ready !== false && terminating !== true;
const isServing: Condition = ({ conditions: { serving, terminating } = {} }) =>
	serving !== false && terminating === true;

/** The pods that get requests, as of kube-proxy: the ready ones, else those that still serve while they terminate. IPv4 first. */
export function podsOf(slices: readonly EndpointSlice[]): readonly RegistryEntry[] {
	for (const condition of [isReady, isServing]) {
		for (const family of ['IPv4', 'IPv6']) {
			const pods = slices
				.filter(({ addressType }) => addressType === family)
				.flatMap((slice) => entriesOf(slice, condition));
			if (pods.length > 0) return pods;
		}
	}
	return [];
}

function entriesOf({ endpoints, ports }: EndpointSlice, condition: Condition): readonly RegistryEntry[] {
	const port = ports?.find(({ name }) => name === 'http') ?? ports?.[0];
	return (endpoints ?? [])
		.filter(condition)
		.map(({ addresses, targetRef }) => ({ id: targetRef?.name, address: addresses[0], port: port?.port }));
}

export interface KubernetesAccess {
	/** `https://10.96.0.1:443` */
	url: string;
	/** The directory of the service account: `token`, `ca.crt` and `namespace`. */
	accountDir: string;
}

/** A list of objects and the version of the whole, from which a watch continues. */
interface EndpointSliceList {
	metadata: { resourceVersion: string };
	items: readonly EndpointSlice[];
}

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/watch-event-v1-meta/ */
export type WatchEvent =
	| { type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; object: EndpointSlice }
	| { type: 'ERROR'; object: { code: number; message?: string } };

/** The calls to the API server. All reject with KubernetesError, or an Error if there is no response. */
export type KubernetesApi = ReturnType<typeof openKubernetesApi>;

export class KubernetesError extends Error {
	override readonly name = 'KubernetesError';
	readonly code: number;

	constructor(code: number, message: string) {
		super(`HTTP ${code}: ${message}`);
		this.code = code;
	}
}

// A list of the slices of one service: each has up to a thousand endpoints.
const lineBytesMax = 16 * 1024 * 1024;

/** The two calls that discovery needs. Importing @kubernetes/client-node would take half a second and 80 MB in each process. */
export function openKubernetesApi(
	{ url, accountDir }: KubernetesAccess,
	{ timeoutMs, waitMs }: { readonly timeoutMs: number; readonly waitMs: number },
) {
	const agent = new Agent({ keepAlive: true });
	const account = (file: string) => readFile(join(accountDir, file), 'utf8');

	/** Reads the account for each call: the kubelet replaces the token before it expires, about once an hour. */
	async function get(query: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
		const [token, ca, namespace] = await Promise.all([
			account('token'),
			account('ca.crt'),
			account('namespace'),
		]);
		const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace.trim()}/endpointslices`;
		const target = new URL(`${path}?${new URLSearchParams(query)}`, url);
		const headers = { authorization: `Bearer ${token.trim()}`, accept: 'application/json' };
		const response = await new Promise<IncomingMessage>((resolve, reject) => {
			request(target, { agent, ca, headers, signal }, resolve).on('error', reject).end();
		});
		if (response.statusCode === 200) return response;
		const body = (await allOf(response)).slice(0, 500);
		throw new KubernetesError(response.statusCode ?? 0, body);
	}

	return {
		list: async (service: string, signal: AbortSignal): Promise<EndpointSliceList> => {
			const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
			const body = await allOf(await get(selecting(service), within));
			return JSON.parse(body) as EndpointSliceList;
		},
		/** The events after a version, in batches as they arrive; ends after `waitMs`. */
		watch: async function* (service: string, version: string, signal: AbortSignal) {
			// The server ends the watch itself; a connection that was lost without a reset doesn't.
			const within = AbortSignal.any([signal, AbortSignal.timeout(waitMs + timeoutMs)]);
			const query = {
				...selecting(service),
				watch: 'true',
				resourceVersion: version,
				allowWatchBookmarks: 'true',
				timeoutSeconds: String(Math.ceil(waitMs / 1000)),
			};
			for await (const lines of linesOf(await get(query, within))) {
				yield lines.map((line) => JSON.parse(line) as WatchEvent);
			}
		},
		close: (): void => agent.destroy(),
	};
}

function selecting(service: string): Record<string, string> {
	return { labelSelector: `kubernetes.io/service-name=${service}` };
}

async function allOf(response: IncomingMessage): Promise<string> {
	let text = '';
	for await (const lines of linesOf(response)) text += lines.join('\n');
	return text;
}

/** The lines of a body, in batches as they arrive. Throws if the body is cut off, or if a line is too long. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<readonly string[]> {
	response.setEncoding('utf8');
	let unfinished = '';
	for await (const chunk of response) {
		const lines = `${unfinished}${chunk}`.split('\n');
		unfinished = lines.pop() ?? '';
		if (unfinished.length > lineBytesMax) throw new Error('the response is too large');
		if (lines.length > 0) yield lines;
	}
	if (unfinished !== '') yield [unfinished];
}
