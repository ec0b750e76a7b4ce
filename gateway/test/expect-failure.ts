import { expect } from '@jest/globals';

/** What came back, however it was asked for. */
interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/**
 * Expects a failure as every client may rely on it: the envelope and nothing else, told as JSON, never stored, with
 * nothing of the inside in it. @returns its `data`
 */
export function expectFailure(answer: Answer, status: number, code: string): Record<string, unknown> {
	expect(`${answer.status} ${answer.body}`).toContain(`${status} {`);
	const { success, data, message, timestamp, ...rest } = JSON.parse(answer.body);
	expect(rest).toEqual({});
	expect(success).toBe(false);
	expect(data).toMatchObject({ code, status, requestId: expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/) });
	expect(message).toEqual(expect.stringMatching(/./));
	expect(new Date(timestamp).toISOString()).toBe(timestamp);
	expect(answer.body).not.toMatch(/127\.0\.0\.1|localhost|node_modules|\.ts\b|\n\s+at /);
	expect(answer.headers).toMatchObject({
		'content-type': 'application/json; charset=utf-8',
		'cache-control': 'no-store',
		'x-request-id': data.requestId,
		'x-content-type-options': 'nosniff',
		'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
	});
	return data;
}

/** A fetch answer in the shape that `expectFailure` takes. */
export async function answerOf(response: Response): Promise<Answer> {
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		body: await response.text(),
	};
}
