import { Writable } from 'node:stream';
import { noneMatch } from '@paddock/service';
import type { ResponseBody, UpstreamResponse } from '../forwarder/forwarder.ts';
import { readBody } from '../forwarder/whole-body.ts';
import type { Call, Forward } from '../proxy/attempt.ts';
import { forwardedKeys, type KeyedRequest } from './keyed-request.ts';
import type { ResponseStore } from './response-store.ts';
import {
	type CreatePolicy,
	isStorable,
	notModified,
	type StoredResponse,
	variedBy,
} from './stored-response.ts';

/** A response that is stored now, or one that only the request that caused it may have. */
export type Fetched =
	| { readonly stored: StoredResponse; readonly status: number; readonly response?: undefined }
	| { readonly stored?: undefined; readonly response: UpstreamResponse };

export interface FetchDeps {
	readonly store: ResponseStore;
	readonly createPolicy: CreatePolicy;
	readonly forward: Forward;
}

/** Fetches a response for all clients, to its end if the first one leaves. @param known the stored response to be confirmed */
export async function fetchResponse(
	{ store, createPolicy, forward }: FetchDeps,
	call: Call,
	request: KeyedRequest,
	known: StoredResponse | undefined,
): Promise<Fetched> {
	const generation = store.generation(request.collection);
	const abort = new AbortController();
	const response = await forward({
		...call,
		method: 'GET',
		req: { headers: forwardedKeys(request, known?.etag), socket: call.req.socket },
		signal: abort.signal,
	});
	if (response.status === 304 && known !== undefined) {
		await readBody(response.body);
		const { policy } = known.policy.revalidatedPolicy(selectedBy(request, known.varying), response);
		const confirmed = { ...known, policy, generation, failedAt: undefined };
		store.put(request, confirmed);
		return { stored: confirmed, status: 304 };
	}
	const { headers, status } = response;
	const varying = (variedBy(headers) ?? []).map((name) => [name, request.headers[name]] as const);
	const policy = createPolicy(selectedBy(request, varying), response);
	if (!isStorable(policy, response, store.bodyBytesMax)) {
		abortTogether(call, abort);
		return { response };
	}
	const stored: StoredResponse = {
		policy,
		etag: headers.etag,
		contentType: headers['content-type'],
		varying,
		body: await ownBytes(response.body),
		generation,
		failedAt: undefined,
	};
	store.put(request, stored);
	return { stored, status };
}

/** 304 in place of a response that is not stored, if the client has it. The body is read, so that its connection can be reused. */
export async function unlessKnown(
	response: UpstreamResponse,
	ifNoneMatch: string | undefined,
): Promise<UpstreamResponse> {
	const { status, headers, body } = response;
	if (status !== 200 || headers.etag === undefined || noneMatch(ifNoneMatch, headers.etag)) return response;
	const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
	// The client has the body, so one that is cut off makes no difference.
	await body.sendTo(discarded, () => undefined).catch(() => undefined);
	return notModified(headers);
}

/** The request as a policy keeps it: the client's directives, and headers that change nothing, would occupy memory. */
function selectedBy(request: KeyedRequest, varying: StoredResponse['varying']): KeyedRequest {
	const headers = Object.fromEntries(varying.filter(([, value]) => value !== undefined));
	return { ...request, headers };
}

/** A response that is streamed to its one client ends with that client. */
function abortTogether({ signal }: Call, abort: AbortController): void {
	const follow = (): void => abort.abort(signal.reason);
	if (signal.aborted) follow();
	else signal.addEventListener('abort', follow, { once: true });
}

/** A copy, because `concat` takes small buffers from Node's pool: a stored one would keep 64 KB of it in memory. */
async function ownBytes(body: ResponseBody): Promise<Buffer> {
	return Buffer.from(new Uint8Array(await readBody(body)).buffer);
}
