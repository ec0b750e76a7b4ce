import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { apiError } from '@paddock/contract';
import type { Logger } from '@paddock/telemetry';
import type { Exchange } from '../exchange/exchange.ts';
import { forwardedHeaders, relayedHeaders } from '../exchange/headers.ts';
import type { Step } from '../exchange/pipeline.ts';
import type { PagesAddress } from './channel.ts';

/** Authenticates workers at the primary process. Clients can't send it: the hygiene step removes the prefix. */
export const keyHeader = 'x-internal-worker-key';

// Profiles are of the process that receives the request.
const ownPaths = ['/heapdump', '/cpuprofile'];

/** The page of the primary process if the path is one of an operations page, else the worker's own. */
export function orPrimaryPage(
	prefix: string,
	{ body, forward, own }: { readonly body: Step; readonly forward: Step; readonly own: Step },
): Step {
	const mine = new Set(ownPaths.map((path) => prefix + path));
	return async function orPrimaryPage(exchange, req, res) {
		const { path } = exchange;
		const isOperations = path === prefix || path.startsWith(`${prefix}/`);
		if (!isOperations || mine.has(path)) return own(exchange, req, res);
		return (await body(exchange, req, res)) ?? forward(exchange, req, res);
	};
}

// Longer than any page takes; a stream sends something every second.
const idleMs = 60_000;

/** The operations pages of the primary process. `forward`: requests whose body has been read; `close` ends streams. */
export function primaryPages({ port, key }: PagesAddress, logger: Logger): { forward: Step; close(): void } {
	const agent = new Agent({ keepAlive: true });
	const streams = new Set<ServerResponse>();
	const call = (exchange: Exchange, req: IncomingMessage, res: ServerResponse): Promise<IncomingMessage> => {
		const { trace, body } = exchange;
		const own = { trace, authority: 'localhost', deadlineMs: idleMs };
		const headers = { ...forwardedHeaders(req, exchange, own), [keyHeader]: key };
		const { method, url: path } = req;
		const forwarded = request({ host: '127.0.0.1', port, agent, method, path, headers, timeout: idleMs });
		const leave = (): void => void forwarded.destroy();
		res.once('close', leave);
		forwarded.once('timeout', () => forwarded.destroy(new Error('The primary process does not respond.')));
		forwarded.end(body?.bytes);
		return new Promise((resolve, reject) => {
			forwarded.once('response', (response) => {
				// pipeline() ends both from now on.
				res.off('close', leave);
				resolve(response);
			});
			forwarded.once('error', reject);
		});
	};
	return {
		forward: async (exchange, req, res) => {
			const response = await call(exchange, req, res).catch((cause: unknown) => {
				throw apiError('SERVICE_UNAVAILABLE', { cause });
			});
			exchange.isRecordedByPrimary = true;
			const { statusCode: status = 502, headers } = response;
			res.writeHead(status, relayedHeaders(res, { status, headers }, exchange.gatewayHeaders));
			res.flushHeaders();
			// A page of known length must be sent completely.
			if (headers['content-length'] === undefined) streams.add(res);
			// Both end if the client leaves or the primary process exits.
			await pipeline(response, res).catch((error: unknown) =>
				logger.debug('operations page cut off', { error }),
			);
			streams.delete(res);
			return 'handled' as const;
		},
		close: () => {
			for (const res of streams) res.end();
		},
	};
}
