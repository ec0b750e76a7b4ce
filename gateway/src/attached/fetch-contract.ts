import { type MutualTls, openServiceAgents } from '@paddock/discovery';
import axios from 'axios';
import { parse } from 'yaml';

export const contractBytesMax = 2 * 1024 * 1024;
const yamlBytesMax = 256 * 1024;
const timeoutMs = 5_000;

/** What an instance returned: the same contract as before, or another one. */
export type Fetched =
	| { readonly unchanged: true }
	| { readonly unchanged: false; readonly text: string; readonly etag: string | undefined };

export type ContractClient = ReturnType<typeof openContractClient>;

/** The instance has not responded as it should; another one may. */
export class InstanceError extends Error {
	override readonly name = 'InstanceError';
}

/** Reads contracts at services: one response without redirects, of limited size and time. */
export function openContractClient(tls: MutualTls | undefined) {
	const agents = openServiceAgents({ keepAlive: false, maxSockets: 2 }, tls);
	const http = axios.create({
		// HTTP_PROXY and similar variables must not apply to internal addresses.
		proxy: false,
		maxRedirects: 0,
		maxContentLength: contractBytesMax,
		// A small compressed body could become a large one.
		decompress: false,
		responseType: 'arraybuffer',
		validateStatus: () => true,
	});
	return {
		/** @throws Error with what is wrong, for an operator; `isReachable` says whether another instance may help */
		fetch: async (service: string, url: string, etag: string | undefined): Promise<Fetched> => {
			const headers = {
				Accept: 'application/json, application/yaml;q=0.5',
				'Accept-Encoding': 'identity',
				...(etag === undefined ? {} : { 'If-None-Match': etag }),
			};
			const {
				status,
				headers: given,
				data,
			} = await http
				.get<Buffer>(url, { headers, signal: AbortSignal.timeout(timeoutMs), httpAgent: agents.of(service) })
				.catch((error: unknown) => {
					throw new InstanceError(reasonOf(error), { cause: error });
				});
			if (status === 304 && etag !== undefined) return { unchanged: true };
			if (status !== 200) throw new InstanceError(`responded with ${status}`);
			const coding = given['content-encoding'] ?? 'identity';
			if (coding !== 'identity') throw new Error(`is compressed (${String(coding).slice(0, 20)})`);
			return { unchanged: false, text: textOf(data), etag: etagOf(given['etag']) };
		},
		close: agents.close,
	};
}

function reasonOf(error: unknown): string {
	if (!axios.isAxiosError(error)) return 'is not readable';
	if (error.message.includes('maxContentLength')) return `is larger than ${contractBytesMax} bytes`;
	return error.code === 'ERR_CANCELED'
		? `did not arrive within ${timeoutMs} ms`
		: 'could not be read: no response';
}

const etagOf = (value: unknown) =>
	typeof value === 'string' && /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(value) ? value : undefined;

function textOf(bytes: Buffer): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		throw new Error('is not in UTF-8');
	}
}

/** The content of a contract: JSON, or a YAML document of limited size without aliases. @throws Error */
export function parsedContract(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		if (/^\s*[[{]/.test(text) || text.length > yamlBytesMax)
			throw new Error(`is not JSON: ${(error as Error).message.slice(0, 200)}`);
	}
	try {
		// To look for equal keys, each one is compared with each other: a minute for 256 KB.
		return parse(text, { maxAliasCount: 0, uniqueKeys: false, logLevel: 'error' });
	} catch (error) {
		throw new Error(`is neither JSON nor YAML: ${String((error as Error).message).slice(0, 200)}`);
	}
}
