import type { ServerResponse } from 'node:http';
import { createMovingClock, type RecordedRequest, type TestUpstream } from '@paddock/testing';
import { type SentRequest, sendRequest } from './send-request.ts';
import type { Bench } from './test-bench.ts';

/** A path whose responses may be stored. */
export const path = '/api/masterdata/countries';
export const freshness = 'public, max-age=60, stale-while-revalidate=30, stale-if-error=600';

/** A response that may be stored. */
export function respondStorable(
	res: ServerResponse,
	data: object,
	headers: Record<string, string> = {},
): void {
	const body = JSON.stringify({ success: true, data, message: 'ok', timestamp: '2026-03-01T08:15:00.000Z' });
	res
		.writeHead(200, {
			'Content-Type': 'application/json; charset=utf-8',
			'Content-Length': Buffer.byteLength(body),
			'Cache-Control': freshness,
			...headers,
		})
		.end(body);
}

export type Respond = (res: ServerResponse, count: number, req: RecordedRequest) => void;

/** A gateway in front of one instance of masterdata, with a clock that the test advances. */
export async function startCached(bench: Bench, respond?: Respond, settings: Record<string, string> = {}) {
	const clock = createMovingClock();
	let current: Respond = respond ?? ((res, count) => respondStorable(res, { count }, { ETag: `"${count}"` }));
	const masterdata: TestUpstream = await bench.upstream((_req, res) => {
		const { requests } = masterdata;
		current(res, requests.length, requests.at(-1) as RecordedRequest);
	});
	const gateway = await bench.start({
		services: { 'masterdata-service': [masterdata.url] },
		settings: { CONTEXTS: 'auth,masterdata', ...settings },
		now: clock.now,
	});
	/** Without the token that the bench sends. */
	const get = (sent: Partial<SentRequest> = {}) => sendRequest(gateway.port, { path, ...sent });
	return {
		gateway,
		clock,
		masterdata,
		get,
		respond: (next: Respond) => {
			current = next;
		},
	};
}

/** The count in the body of a response. */
export const counts = ({ body }: { body: string }) =>
	(JSON.parse(body) as { data: { count: number } }).data.count;
