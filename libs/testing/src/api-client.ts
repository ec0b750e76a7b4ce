import { createOpenapiCheck, type OpenapiCheck } from './openapi-check.ts';

interface ApiCall {
	token?: string;
	body?: unknown;
	headers?: Record<string, string>;
}

export interface ApiResponse<Data> {
	status: number;
	headers: Headers;
	data: Data;
	message: string;
	success: boolean;
	text: string;
}

export interface ApiClient {
	/** Sends a request; throws if the response doesn't match openapi.yaml. `Data` is not checked. */
	<Data = Record<string, unknown>>(method: string, path: string, call?: ApiCall): Promise<ApiResponse<Data>>;
	readonly check: OpenapiCheck;
}

/** A client of the gateway that validates every response against openapi.yaml. */
export function createApiClient(url: string): ApiClient {
	const check = createOpenapiCheck();
	const client = async <Data>(
		method: string,
		path: string,
		call: ApiCall = {},
	): Promise<ApiResponse<Data>> => {
		const headers = new Headers(call.headers);
		if (call.token !== undefined) headers.set('Authorization', `Bearer ${call.token}`);
		if (call.body !== undefined && !headers.has('Content-Type'))
			headers.set('Content-Type', 'application/json');
		const body =
			typeof call.body === 'string' || call.body === undefined ? call.body : JSON.stringify(call.body);
		const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
		const text = await response.text();
		const contentType = response.headers.get('Content-Type');
		const isJson = /json/.test(contentType ?? '') && text !== '';
		const json = (isJson ? JSON.parse(text) : undefined) as
			| { success: boolean; data: Data; message: string }
			| undefined;
		check({ method, path, status: response.status, contentType, json });
		return {
			status: response.status,
			headers: response.headers,
			data: json?.data as Data,
			message: json?.message ?? '',
			success: json?.success ?? false,
			text,
		};
	};
	return Object.assign(client, { check });
}
