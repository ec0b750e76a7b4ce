import { expect } from '@jest/globals';

/** A response, independent of the client. */
interface PlainResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/**
 * Expects a failure response: a JSON envelope without further fields, not cacheable, without internals.
 * @returns its `data`
 */
export function expectFailure(
	response: PlainResponse,
	status: number,
	code: string,
): Record<string, unknown> {
	expect(`${response.status} ${response.body}`).toContain(`${status} {`);
	const { success, data, message, timestamp, ...rest } = JSON.parse(response.body);
	expect(rest).toEqual({});
	expect(success).toBe(false);
	expect(data).toMatchObject({ code, status, requestId: expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/) });
	expect(message).toEqual(expect.stringMatching(/./));
	expect(new Date(timestamp).toISOString()).toBe(timestamp);
	expect(response.body).not.toMatch(/127\.0\.0\.1|localhost|node_modules|\.ts\b|\n\s+at /);
	expect(response.headers).toMatchObject({
		'content-type': 'application/json; charset=utf-8',
		'cache-control': 'no-store',
		'x-request-id': data.requestId,
		'x-content-type-options': 'nosniff',
		'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
	});
	return data;
}

/** Reads a fetch response for `expectFailure`. */
export async function readResponse(response: Response): Promise<PlainResponse> {
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		body: await response.text(),
	};
}
