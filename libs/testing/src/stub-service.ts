import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSettableRegistry, type SettableRegistry } from './settable-registry.ts';
import { neverRespond, recordingUpstream, respondWithEnvelope, type TestUpstream } from './upstreams.ts';

interface StubRequest {
	readonly url: URL;
	readonly req: IncomingMessage;
	readonly body: string;
}

type Misbehaviour = (req: IncomingMessage, res: ServerResponse, body: string, respond: () => void) => void;

/** Another service, as a real server with the data of a test. */
export interface StubService extends Pick<TestUpstream, 'url' | 'requests' | 'close'> {
	/** Responds like this from now on; `respond` sends the proper response. */
	misbehave(misbehaviour: Misbehaviour): void;
	/** Accepts requests and doesn't respond. */
	hang(): void;
	/** Stops listening. */
	kill(): Promise<void>;
	/** Listens and responds as it should again. */
	recover(): Promise<void>;
}

/** The service token that a stub of auth issues. */
export const stubToken = { accessToken: 'token of the stub of auth', expiresIn: 900, scopes: [] };

/**
 * Starts a stub: `dataOf` returns the data of a response, undefined for 404. Internal addresses other than that of service
 * tokens require `stubToken`.
 */
export async function stubService(dataOf: (request: StubRequest) => unknown): Promise<StubService> {
	let misbehaviour: Misbehaviour | undefined;
	let isListening = true;
	const upstream = await recordingUpstream((req, res, body) => {
		const respond = () =>
			respondProperly(res, { url: new URL(req.url ?? '/', 'http://stub'), req, body }, dataOf);
		if (misbehaviour === undefined) respond();
		else misbehaviour(req, res, body, respond);
	});
	const { url, requests, close } = upstream;
	const misbehave = (other: Misbehaviour): void => {
		misbehaviour = other;
	};
	return {
		url,
		requests,
		misbehave,
		hang: () => misbehave(neverRespond),
		kill: async () => {
			isListening = false;
			await close();
		},
		recover: async () => {
			misbehaviour = undefined;
			if (!isListening) await upstream.reopen();
			isListening = true;
		},
		close,
	};
}

function respondProperly(
	res: ServerResponse,
	request: StubRequest,
	dataOf: (request: StubRequest) => unknown,
): void {
	const { url, req } = request;
	const isInternal = url.pathname.startsWith('/internal/') && url.pathname !== '/internal/service-tokens';
	const isAuthorized = !isInternal || req.headers.authorization === `Bearer ${stubToken.accessToken}`;
	const data = isAuthorized ? dataOf(request) : undefined;
	const fail = (status: number, code: string) =>
		respondWithEnvelope(res, status, { code, status, requestId: 'stub' });
	if (!isAuthorized) fail(401, 'INVALID_TOKEN');
	else if (data === undefined) fail(404, 'NOT_FOUND');
	else respondWithEnvelope(res, 200, data);
}

/** The registry that lists these stubs by their names. */
export function registryOfStubs(stubs: Readonly<Record<string, StubService>>): SettableRegistry {
	return createSettableRegistry(
		Object.fromEntries(Object.entries(stubs).map(([name, { url }]) => [name, [url]])),
	);
}

/** The `data` of a lookup: the records whose ids the request lists. */
export function foundRecords(url: URL, records: ReadonlyMap<string, unknown>): { items: unknown[] } {
	const ids = (url.searchParams.get('ids') ?? '').split(',');
	return { items: ids.flatMap((id) => records.get(id) ?? []) };
}
