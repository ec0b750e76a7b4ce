import type { IncomingMessage, ServerResponse } from 'node:http';
import { recordingUpstream, type TestUpstream } from '@paddock/testing';

export type PeerAnswer = (req: IncomingMessage, res: ServerResponse, body: string) => void;

/** Another context, as far as members asks it. */
export interface StubPeer extends Pick<TestUpstream, 'url' | 'requests' | 'close'> {
	/** Answers like this from now on; without one as it should. */
	misbehave(answer?: PeerAnswer): void;
}

const countries = ['AT', 'DE', 'CH'];
const statesOf: Readonly<Record<string, readonly string[]>> = { AT: ['AT-1', 'AT-3', 'AT-6'], DE: ['DE-BY'] };

/** Knows Austria, Germany, Switzerland and some of their states. */
export function stubMasterdata(): Promise<StubPeer> {
	return stubPeer((req, res) => {
		const url = new URL(req.url ?? '', 'http://masterdata');
		const code = /^\/api\/masterdata\/countries\/by-code\/(\w+)$/.exec(url.pathname)?.[1];
		if (code !== undefined && countries.includes(code)) answerData(res, { isoAlpha2: code, nameDe: 'x' });
		else if (url.pathname === '/api/masterdata/states') {
			const states = statesOf[url.searchParams.get('countryCode') ?? ''] ?? [];
			answerPage(
				res,
				states.map((iso3166_2) => ({ iso3166_2 })),
			);
		} else answerFailure(res, 404, 'NOT_FOUND');
	});
}

/** Knows which members have open entries. */
export async function stubEvents(): Promise<StubPeer & { readonly entered: Set<string> }> {
	const entered = new Set<string>();
	const peer = await stubPeer((req, res) => {
		const url = new URL(req.url ?? '', 'http://events');
		const memberId = url.searchParams.get('memberId') ?? '';
		const isQuestion = url.pathname === '/api/events/entries' && url.searchParams.get('open') === 'true';
		if (!isQuestion) answerFailure(res, 404, 'ROUTE_NOT_FOUND');
		else answerPage(res, entered.has(memberId) ? [{ id: 'some entry' }] : []);
	});
	return { ...peer, entered };
}

async function stubPeer(proper: PeerAnswer): Promise<StubPeer> {
	let answer = proper;
	const upstream = await recordingUpstream((req, res, body) => answer(req, res, body));
	return {
		url: upstream.url,
		requests: upstream.requests,
		close: upstream.close,
		misbehave: (other = proper) => {
			answer = other;
		},
	};
}

export function answerData(res: ServerResponse, data: unknown): void {
	answerJson(res, 200, { success: true, data, message: 'ok', timestamp: new Date().toISOString() });
}

function answerPage(res: ServerResponse, items: readonly unknown[]): void {
	const totalElements = items.length;
	const pagination = { page: 1, size: 200, totalElements, totalPages: 1, hasNext: false, hasPrevious: false };
	answerData(res, { items, pagination });
}

export function answerFailure(res: ServerResponse, status: number, code: string): void {
	const data = { code, status, requestId: 'r' };
	answerJson(res, status, { success: false, data, message: code, timestamp: new Date().toISOString() });
}

function answerJson(res: ServerResponse, status: number, body: object): void {
	res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
