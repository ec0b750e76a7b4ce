import { describe, expect, test } from '@jest/globals';
import { createLogger, formatLine, silentLogger } from './logger.ts';

const entry = (more: object) => ({ level: 'info', message: 'it happened', service: 'toys', ...more });
const read = (more: object) => JSON.parse(formatLine(entry(more)));
const logged = (value: unknown) => read({ value }).value;

test('a line is one JSON object: time, level, service, message and fields', () => {
	const line = read({ count: 3, at: new Date(0) });
	expect(Object.keys(line)).toEqual(['timestamp', 'level', 'service', 'message', 'count', 'at']);
	expect(line).toMatchObject({
		level: 'info',
		service: 'toys',
		message: 'it happened',
		at: '1970-01-01T00:00:00.000Z',
	});
	expect(new Date(line.timestamp).getTime()).toBeGreaterThan(Date.now() - 10_000);
});

// The log is written in the process that serves the requests, and clients choose parts of it.
test.each([
	'-eyJ',
	'-eyJaaaaaaaa.',
	'eyJaaaaaaaa-eyJ.',
	'a://b:',
	'a://:x',
	'Bearer ',
	' Bearer',
	'\u0301\u0323',
])('100 KB of %j are written within milliseconds', (part) => {
	const text = part.repeat(100_000 / part.length);
	const times = Array.from({ length: 3 }, () => {
		const before = process.cpuUsage();
		formatLine(entry({ value: text, [text]: text }));
		return process.cpuUsage(before).user / 1_000;
	});
	expect(Math.min(...times)).toBeLessThan(50);
});

describe('secrets', () => {
	test.each([
		'password',
		'newPassword',
		'password_hash',
		'ADMIN_PASSWORD',
		'authorization',
		'Proxy-Authorization',
		'cookie',
		'Set-Cookie',
		'accessToken',
		'refreshTokens',
		'clientSecret',
		'privateKey',
		'x-api-key',
		'credentials',
	])('under %s are replaced, at any depth', (key) => {
		expect(formatLine(entry({ [key]: 'hunter2', a: [{ b: { [key]: { c: 'hunter2' } } }] }))).not.toContain(
			'hunter2',
		);
		expect(read({ [key]: 'hunter2' })[key]).toBe('[redacted]');
	});

	test.each([
		['postgres://auth:hunter2@db.example:5432/auth', 'postgres://auth:[redacted]@db.example:5432/auth'],
		['sent Authorization: Bearer hunter2.x-y_z==', 'sent Authorization: Bearer [redacted]'],
		['got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.hunter2 twice', 'got [redacted] twice'],
		['token-eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.hunter2', 'token-[redacted]'],
	])('inside of a text are replaced: %s', (text, expected) => {
		expect(logged(text)).toBe(expected);
		expect(read({ message: text }).message).toBe(expected);
		const { error } = read({ error: new Error(text) });
		expect(error.message).toBe(expected);
		expect(error.stack).not.toContain('hunter2');
	});

	test('a url without a password and an address stay readable', () => {
		for (const text of ['http://127.0.0.1:8081/health', 'mail to office@example.org', 'a://b:c/d e@f'])
			expect(logged(text)).toBe(text);
	});
});

describe('errors', () => {
	test('are logged with their code, stack and causes', () => {
		const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', password: 'hunter2' });
		const { error } = read({ error: new TypeError('no response', { cause: { attempt: 2, cause } }) });
		expect(error).toMatchObject({
			name: 'TypeError',
			message: 'no response',
			stack: expect.stringContaining('logger.test'),
			cause: { attempt: 2, cause: { name: 'Error', message: 'refused', code: 'ECONNREFUSED' } },
		});
		expect(JSON.stringify(error)).not.toContain('hunter2');
	});

	// Node's own connection failures to a name with two addresses have no message but these.
	test('are logged with the errors that they aggregate', () => {
		const { error } = read({ error: new AggregateError([new Error('first'), new Error('second')]) });
		expect(error.errors.map(({ message }: Error) => message)).toEqual(['first', 'second']);
	});

	test('with circular causes terminate', () => {
		const error: Error & { cause?: unknown } = new Error('round');
		error.cause = { error };
		expect(logged(error)).toMatchObject({ message: 'round', cause: { error: '[circular]' } });
	});
});

describe('whatever is logged, there is a line', () => {
	test('of values that JSON does not have', () => {
		expect(logged(2n ** 64n)).toBe('18446744073709551616');
		expect(logged(Symbol('s'))).toBe('Symbol(s)');
		expect(logged(() => 1)).toBe('[function]');
		expect(logged(undefined)).toBeUndefined();
		expect(logged(Number.NaN)).toBeNull();
		expect(logged(new Date(Number.NaN))).toBe('Invalid Date');
		expect(logged(Buffer.from('hunter2'))).toBe('[7 bytes]');
		expect(logged(new Map([['a', new Set([1])]]))).toEqual({ a: [1] });
		expect(logged({ toJSON: () => 'hunter2' })).toEqual({ toJSON: '[function]' });
	});

	test('of circular references, unlike repeated ones', () => {
		const circle: Record<string, unknown> = { name: 'a' };
		circle['self'] = circle;
		circle['list'] = [circle];
		expect(logged(circle)).toEqual({ name: 'a', self: '[circular]', list: ['[circular]'] });
		const shared = { a: 1 };
		expect(logged([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
	});

	test('of getters and proxies that throw', () => {
		const hostile = {
			fine: 1,
			get broken() {
				throw new Error('no');
			},
		};
		expect(logged(hostile)).toEqual({ fine: 1, broken: '[unreadable]' });
		const trap = () => {
			throw new Error('no');
		};
		expect(logged(new Proxy({}, { ownKeys: trap, getPrototypeOf: trap }))).toBe('[unreadable]');
		const error = new Error('x');
		Object.defineProperty(error, 'message', { get: trap });
		expect(logged(error).message).toBe('[unreadable]');
	});

	test('of huge things, cut to a size, in no time', () => {
		const wide = (depth: number): object =>
			depth === 0 ? {} : Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, wide(depth - 1)]));
		const graph: Record<string, unknown> = {};
		for (let index = 0; index < 40; index += 1)
			graph[`k${index}`] = Array.from({ length: 40 }, () => ({ ...graph }));
		const many = Array.from({ length: 100_000 }, (_, index) => index);
		for (const huge of [wide(3), graph, many, 'x'.repeat(5_000_000), new Error('x'.repeat(1_000_000))]) {
			const timesMs: number[] = [];
			for (let turn = 0; turn < 3; turn += 1) {
				const startedAt = performance.now();
				expect(formatLine(entry({ huge })).length).toBeLessThan(200_000);
				timesMs.push(performance.now() - startedAt);
			}
			expect(Math.min(...timesMs)).toBeLessThan(200);
		}
		let deep: object = {};
		for (let level = 0; level < 10_000; level += 1) deep = { deep };
		expect(formatLine(entry({ deep }))).toContain('[cut]');
	});

	test('of names that mean something to JavaScript', () => {
		const parsed = JSON.parse('{"__proto__":{"polluted":1},"constructor":2}');
		expect(formatLine(entry({ parsed }))).toContain('"__proto__":{"polluted":1},"constructor":2');
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
	});
});

test.each([
	'\n',
	'\r\n',
	'\u001b[31m',
	'\u009b31m',
	'\u007f',
	'\u2028',
	'\u2029',
	'\u202e',
	'\u2066',
	'\ud800',
])('%j cannot forge a line or steer a terminal', (mark) => {
	const line = formatLine(entry({ message: `a${mark}b`, [`k${mark}`]: [`v${mark}`] }));
	// biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for control characters
	expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/);
	expect(JSON.parse(line).message).toBe(`a${mark}b`);
});

test('the logger respects its level; the silent one writes nothing', () => {
	const logger = createLogger({ service: 'toys', level: 'warn' });
	expect([logger.isLevelEnabled('warn'), logger.isLevelEnabled('info')]).toEqual([true, false]);
	expect(silentLogger().silent).toBe(true);
});
