import { createOpenapiCheck, type OpenapiCheck } from './openapi-check.ts';

export interface ApiCall {
	token?: string;
	body?: unknown;
	headers?: Record<string, string>;
}

export interface ApiAnswer<Data> {
	status: number;
	headers: Headers;
	data: Data;
	message: string;
	success: boolean;
	text: string;
}

export interface ApiClient {
	/** Sends one request; fails when openapi.yaml doesn't describe the answer. `Data` is the caller's word. */
	<Data = Record<string, unknown>>(method: string, path: string, call?: ApiCall): Promise<ApiAnswer<Data>>;
	readonly check: OpenapiCheck;
}

/** A client of the gateway that holds every answer against openapi.yaml. */
export function createApiClient(url: string): ApiClient {
	const check = createOpenapiCheck();
	const client = async <Data>(method: string, path: string, call: ApiCall = {}): Promise<ApiAnswer<Data>> => {
		const headers = new Headers(call.headers);
		if (call.token !== undefined) headers.set('Authorization', `Bearer ${call.token}`);
		if (call.body !== undefined && !headers.has('Content-Type'))
			headers.set('Content-Type', 'application/json');
		const body =
			typeof call.body === 'string' || call.body === undefined ? call.body : JSON.stringify(call.body);
		const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
		const text = await answer.text();
		const contentType = answer.headers.get('Content-Type');
		const isJson = /json/.test(contentType ?? '') && text !== '';
		const json = (isJson ? JSON.parse(text) : undefined) as
			| { success: boolean; data: Data; message: string }
			| undefined;
		check({ method, path, status: answer.status, contentType, json });
		return {
			status: answer.status,
			headers: answer.headers,
			data: json?.data as Data,
			message: json?.message ?? '',
			success: json?.success ?? false,
			text,
		};
	};
	return Object.assign(client, { check });
}
