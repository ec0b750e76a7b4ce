import type { IncomingMessage, ServerResponse } from 'node:http';
import { recordingUpstream, respondWithEnvelope, type TestUpstream } from '@paddock/testing';

export type PeerResponse = (req: IncomingMessage, res: ServerResponse, body: string) => void;

/** Another context, as far as members calls it. */
export interface StubPeer extends Pick<TestUpstream, 'url' | 'requests' | 'close'> {
	/** Responses like this from now on; without one as it should. */
	misbehave(response?: PeerResponse): void;
}

const countries = ['AT', 'DE', 'CH'];
const statesOf: Readonly<Record<string, readonly string[]>> = { AT: ['AT-1', 'AT-3', 'AT-6'], DE: ['DE-BY'] };

/** Has Austria, Germany, Switzerland and some of their states. */
export function stubMasterdata(): Promise<StubPeer> {
	return stubPeer((req, res) => {
		const url = new URL(req.url ?? '', 'http://masterdata');
		const code = /^\/api\/masterdata\/countries\/by-code\/(\w+)$/.exec(url.pathname)?.[1];
		if (code !== undefined && countries.includes(code))
			respondWithEnvelope(res, 200, { isoAlpha2: code, isoNumeric: '000', nameDe: 'x' });
		else if (url.pathname === '/api/masterdata/states') {
			const states = statesOf[url.searchParams.get('countryCode') ?? ''] ?? [];
			respondWithPage(
				res,
				states.map((iso3166_2) => ({ iso3166_2 })),
			);
		} else respondWithFailure(res, 'NOT_FOUND');
	});
}

interface Referring {
	/** Club id → number of references. */
	readonly clubReferences: Map<string, number>;
}

/** Undefined = the request is not for the count of references. */
function referencesResponse(url: URL, { clubReferences }: Referring): { count: number } | undefined {
	if (url.pathname !== '/internal/references' || url.searchParams.get('type') !== 'CLUB') return undefined;
	return { count: clubReferences.get(url.searchParams.get('id') ?? '') ?? 0 };
}

/** Has the open entries of members. */
export async function stubEvents(): Promise<StubPeer & Referring & { readonly entered: Set<string> }> {
	const entered = new Set<string>();
	const clubReferences = new Map<string, number>();
	const peer = await stubPeer((req, res) => {
		const url = new URL(req.url ?? '', 'http://events');
		const references = referencesResponse(url, { clubReferences });
		if (references !== undefined) {
			respondWithEnvelope(res, 200, references);
			return;
		}
		const memberId = url.searchParams.get('memberId') ?? '';
		const isQuestion = url.pathname === '/api/events/entries' && url.searchParams.get('open') === 'true';
		if (!isQuestion) respondWithFailure(res, 'ROUTE_NOT_FOUND');
		else respondWithPage(res, entered.has(memberId) ? [{ id: 'some entry' }] : []);
	});
	return { ...peer, entered, clubReferences };
}

/** Counts the horses that members own, for the token of `stubAuth` only. */
export async function stubHorses(): Promise<StubPeer & Referring & { readonly owned: Map<string, number> }> {
	const owned = new Map<string, number>();
	const clubReferences = new Map<string, number>();
	const peer = await stubPeer((req, res) => {
		const url = new URL(req.url ?? '', 'http://horses');
		const memberId = url.searchParams.get('memberId') ?? '';
		const references = referencesResponse(url, { clubReferences });
		if (req.headers.authorization !== `Bearer ${serviceToken}`)
			respondWithEnvelope(res, 401, { code: 'INVALID_TOKEN', status: 401, requestId: 'r' });
		else if (references !== undefined) respondWithEnvelope(res, 200, references);
		else if (url.pathname !== '/internal/horses/owned') respondWithFailure(res, 'ROUTE_NOT_FOUND');
		else respondWithEnvelope(res, 200, { count: owned.get(memberId) ?? 0 });
	});
	return { ...peer, owned, clubReferences };
}

const serviceToken = 'token-of-members-service';

/** Issues the service token. */
export async function stubAuth(): Promise<StubPeer & Referring> {
	const clubReferences = new Map<string, number>();
	const token = { accessToken: serviceToken, expiresIn: 900, scopes: [] };
	const peer = await stubPeer((req, res) => {
		const url = new URL(req.url ?? '', 'http://auth');
		respondWithEnvelope(res, 200, referencesResponse(url, { clubReferences }) ?? token);
	});
	return { ...peer, clubReferences };
}

async function stubPeer(proper: PeerResponse): Promise<StubPeer> {
	let response = proper;
	const upstream = await recordingUpstream((req, res, body) => response(req, res, body));
	return {
		url: upstream.url,
		requests: upstream.requests,
		close: upstream.close,
		misbehave: (other = proper) => {
			response = other;
		},
	};
}

function respondWithPage(res: ServerResponse, items: readonly unknown[]): void {
	const totalElements = items.length;
	const pagination = { page: 1, size: 200, totalElements, totalPages: 1, hasNext: false, hasPrevious: false };
	respondWithEnvelope(res, 200, { items, pagination });
}

function respondWithFailure(res: ServerResponse, code: string): void {
	respondWithEnvelope(res, 404, { code, status: 404, requestId: 'r' });
}
