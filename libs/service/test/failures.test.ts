import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ApiError, apiError } from '@paddock/contract';
import { remainingMs } from '@paddock/resilience';
import { eventually } from '@paddock/testing';
import { LostToyBox } from './lost-toy-box.ts';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());
beforeEach(() => {
	toys.act = () => ({ fine: true });
});

const act = (does: ToyService['act']) => {
	toys.act = does;
	return toys.send('POST', '/act');
};
const throwing = (thrown: unknown) => () => {
	throw thrown;
};
const bugs = () => toys.log.filter((line) => line['level'] === 'error');

test('an expected failure is returned as its table says and is not logged as an error', async () => {
	const before = bugs().length;
	const { status, code, text } = await act(
		throwing(apiError('CONFLICT', { cause: new Error('s3cret detail') })),
	);
	expect([status, code]).toEqual([409, 'CONFLICT']);
	expect(text).not.toContain('s3cret');
	expect(bugs()).toHaveLength(before);
});

test.each([
	[0, '1'],
	[1, '1'],
	[1_000, '1'],
	[1_001, '2'],
	[61_500, '62'],
])('a wait of %d ms is reported as %s s', async (retryAfterMs, seconds) => {
	const { headers } = await act(throwing(apiError('SERVICE_UNAVAILABLE', { retryAfterMs })));
	expect(headers.get('Retry-After')).toBe(seconds);
});

test.each<[string, unknown]>([
	['an Error', new Error('duplicate key value violates "toys_s3cret"')],
	['an Error with a status of its own', Object.assign(new Error('s3cret'), { status: 404, expose: true })],
	['a text', 's3cret'],
	['undefined', undefined],
	['null', null],
	['an object without a prototype', Object.create(null)],
	['an object that cannot be read', new Proxy({}, { get: throwing(new Error('s3cret')) })],
	["the router's own word for the next route", 'route'],
	['a URIError of a handler', new URIError('s3cret')],
])('%s is a bug: a bare 500, and the cause in the log', async (_name, thrown) => {
	const before = bugs().length;
	const { status, data, text } = await act(async () => throwing(thrown)());
	expect([status, Object.keys(data), data['code']]).toEqual([
		500,
		['code', 'status', 'requestId'],
		'INTERNAL_ERROR',
	]);
	expect(text).not.toMatch(/s3cret|\.ts|node_modules/);
	const [line] = bugs().slice(before);
	expect(line).toMatchObject({ message: 'unexpected error', requestId: data['requestId'] });
	expect(line?.['error']).toHaveProperty('stack');
});

test('an expected failure of the system is one line with its causes, without a stack', async () => {
	const before = toys.log.length;
	const cause = new Error('members-service: unreachable', { cause: new Error('connect ECONNREFUSED') });
	await act(throwing(apiError('SERVICE_UNAVAILABLE', { cause, context: { context: 'members' } })));
	const [line] = toys.log.slice(before).filter(({ level }) => level === 'warn');
	expect(line).toMatchObject({
		code: 'SERVICE_UNAVAILABLE',
		context: 'members',
		cause: 'members-service: unreachable: connect ECONNREFUSED',
	});
	expect(JSON.stringify(line)).not.toContain('    at ');
});

test("a library's error is what translateError makes of it", async () => {
	const { status, code, headers } = await act(throwing(new LostToyBox('10.0.0.7 refused')));
	expect([status, code, headers.get('Retry-After')]).toEqual([503, 'SERVICE_UNAVAILABLE', '2']);
});

describe('a response that breaks its schema', () => {
	test.each([
		['another type', { fine: 'yes' }],
		['nothing', undefined],
		['a date instead of its text', new Date()],
	])('%s is a bug and never leaves', async (_name, data) => {
		const before = bugs().length;
		expect((await act(() => data)).status).toBe(500);
		expect(JSON.stringify(bugs().slice(before))).toContain('The response of act breaks its schema');
	});

	test('leaves without the fields that its schema does not declare', async () => {
		const { status, text } = await act(() => ({ fine: true, passwordHash: 'x' }));
		expect([status, text.includes('fine'), text.includes('passwordHash')]).toEqual([200, true, false]);
	});

	test('is not checked in production; values that JSON cannot represent are still a bug', async () => {
		const production = await runToyService({ checkResponses: false });
		try {
			production.act = () => ({ fine: 'yes' });
			expect((await production.send('POST', '/act')).status).toBe(200);
			production.act = () => ({ fine: 1n });
			expect((await production.send('POST', '/act')).status).toBe(500);
		} finally {
			await production.close();
		}
	});
});

test("a translateError that throws does not expose the framework's page", async () => {
	// The translateError of the toys reads the class of the error, which throws here.
	const hostile = new Proxy(new Error('x'), { getPrototypeOf: throwing(new Error('s3cret')) });
	const { status, code, text } = await act(throwing(hostile));
	expect([status, code, text.includes('s3cret')]).toEqual([500, 'INTERNAL_ERROR', false]);
	expect(bugs().at(-1)).toMatchObject({ message: 'an error could not be dealt with' });
});

describe('when the caller leaves', () => {
	async function leave(does: ToyService['act']): Promise<AbortSignal> {
		const started = new Promise<AbortSignal>((resolve) => {
			toys.act = (signal) => {
				resolve(signal);
				return does(signal);
			};
		});
		const socket = connect(toys.port, '127.0.0.1');
		socket.write('POST /act HTTP/1.1\r\nHost: a\r\n\r\n');
		const signal = await started;
		socket.resetAndDestroy();
		await eventually('the signal is aborted', () => signal.aborted);
		return signal;
	}

	const untilAborted = (signal: AbortSignal) =>
		new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

	test('the handler is notified, and giving up then is not a bug', async () => {
		const [before, lines] = [bugs().length, toys.log.length];
		await leave(untilAborted);
		await eventually('the request is logged', () => toys.log.length > lines);
		expect(toys.log.at(-1)).toMatchObject({ message: 'request', route: '/act', status: 499 });
		expect((await toys.send('GET', '/toys/active')).status).toBe(200);
		expect(bugs()).toHaveLength(before);
	});

	test('a bug of the handler is still logged', async () => {
		const before = bugs().length;
		await leave(async (signal) => {
			await once(signal, 'abort');
			throw new Error('a real bug');
		});
		await eventually('the bug is logged', () => bugs().length > before);
		expect(JSON.stringify(bugs().at(-1))).toContain('a real bug');
	});

	test('a late response is dropped', async () => {
		const before = bugs().length;
		await leave((signal) => untilAborted(signal).catch(() => ({ fine: true })));
		expect((await toys.send('GET', '/toys/active')).status).toBe(200);
		expect(bugs()).toHaveLength(before);
	});
});

describe('the deadline of the caller', () => {
	const call = (deadline: string) =>
		toys.send('POST', '/act', { headers: { 'X-Request-Deadline-Ms': deadline } });

	test('aborts running handlers', async () => {
		const before = bugs().length;
		toys.act = (signal) =>
			new Promise((_resolve, reject) =>
				signal.addEventListener('abort', () =>
					reject(Object.assign(new Error('query cancelled', { cause: signal.reason }))),
				),
			);
		const { status, code } = await call('20');
		expect([status, code]).toEqual([504, 'UPSTREAM_TIMEOUT']);
		expect(bugs()).toHaveLength(before);
	});

	test('is known to the libraries that wait for a dependency, less a margin for the response', async () => {
		let remaining: number | undefined;
		toys.act = () => {
			remaining = remainingMs();
			return { fine: true };
		};
		await call('60000');
		expect(remaining).toBeGreaterThan(50_000);
		expect(remaining).toBeLessThanOrEqual(59_500);
		await call('');
		expect(remaining).toBeUndefined();
	});

	test.each(['', 'soon', '-1', '1e9', '99999999', '60000'])('%s aborts nothing', async (deadline) => {
		toys.act = (signal) => {
			expect(signal.aborted).toBe(false);
			return { fine: true };
		};
		expect((await call(deadline)).status).toBe(200);
	});
});

test('ApiErrors of other tables are unchanged', async () => {
	const teapot = new ApiError(
		'TEAPOT',
		{ status: 418, message: 'Short and stout.' },
		{ headers: { Via: 'tea' } },
	);
	const { status, code, headers } = await act(throwing(teapot));
	expect([status, code, headers.get('Via')]).toEqual([418, 'TEAPOT', 'tea']);
});

test('a failure that cannot be written closes its connection and is logged; the process continues', async () => {
	// Node refuses a line break in a header with an exception.
	const unwritable = apiError('CONFLICT', { headers: { 'X-Part': 'a\r\nb' } });
	await expect(act(throwing(unwritable))).rejects.toThrow('fetch failed');
	await eventually('it is logged', () =>
		bugs().some(({ message }) => message === 'failure response not written'),
	);
	expect((await act(() => ({ fine: true }))).status).toBe(200);
});
