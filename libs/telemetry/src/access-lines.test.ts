import { describe, expect, test } from '@jest/globals';
import { createAccessLines } from './access-lines.ts';
import { formatLine } from './logger.ts';

const now = () => new Date('2026-01-02T03:04:05.678Z');

function linesOf(entry: Entry, level: 'info' | 'warn' = 'info'): string[] {
	const lines: string[] = [];
	createAccessLines({
		service: 'gateway',
		sink: { write: (line) => lines.push(line) },
		logger: { level },
		now,
	}).write(entry);
	return lines;
}

type Entry = Readonly<Record<string, string | number | undefined>>;

const entry: Entry = {
	requestId: '11111111-1111-4111-8111-111111111111',
	traceId: '0af7651916cd43dd8448eb211c80319c',
	method: 'GET',
	path: '/api/horses/7',
	route: '/api/horses',
	status: 200,
	durationMs: 1.5,
	client: '2001:db8::1',
	userId: undefined,
	instance: 'horses-service-127.0.0.1-8084',
	attempts: undefined,
	failure: undefined,
};

/** The line of the logger without the time. */
function byTheLogger(fields: Entry): unknown {
	const line = JSON.parse(
		formatLine({ level: 'info', service: 'gateway', message: 'request', ...fields }),
	) as object;
	return { ...line, timestamp: expect.any(String) };
}

describe('a line of the access log', () => {
	test.each<[string, Partial<Entry>]>([
		['nothing special', {}],
		['a declared path', { route: '/api/horses/{id}' }],
		['a quote in its path', { path: '/a"},{"forged":true}' }],
		['a backslash', { path: '/a\\b' }],
		['a line separator', { path: '/a\u2028b' }],
		['a control of a terminal', { path: '/\u009b31m' }],
		['an umlaut', { path: '/\u00c4pfel' }],
		['a token in its path', { path: '/auth/eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl' }],
		['a password in its path', { path: '/x/http://user:geheim@host/' }],
		['an instance of a strange name', { instance: 'a "b"' }],
		['no client any more', { client: undefined }],
		['a browser', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' }],
		['a quote in its user agent', { userAgent: 'x","forged":"y' }],
		['a token in its user agent', { userAgent: 'Bearer geheim.geheim' }],
		['a refusal', { refused: 'HPE_INVALID_METHOD' }],
	])('with %s equals the line of the logger', (_name, change) => {
		const fields = { ...entry, ...change };
		const [line = ''] = linesOf(fields);
		expect(JSON.parse(line)).toEqual(byTheLogger(fields));
		expect(line).not.toMatch(/[\u007f-\u009f\u2028\u2029\n]|geheim|c2lnbmF0dXJl/);
	});

	test('begins with its time', () => {
		expect(linesOf(entry)[0]).toMatch(/^\{"timestamp":"2026-01-02T03:04:05\.678Z","level":"info",/);
	});

	test('has the time of its own millisecond', () => {
		const times = ['05.678', '05.678', '05.679', '06.679', '05.678'].map((s) => `2026-01-02T03:04:${s}Z`);
		const lines: string[] = [];
		let time = '';
		const log = createAccessLines({
			service: 'gateway',
			sink: { write: (line) => lines.push(line) },
			logger: { level: 'info' },
			now: () => new Date(time),
		});
		for (const each of times) {
			time = each;
			log.write(entry);
		}
		expect(lines.map((line) => (JSON.parse(line) as { timestamp: string }).timestamp)).toEqual(times);
	});

	test('is not made where the level is above it', () => {
		expect(linesOf(entry, 'warn')).toEqual([]);
	});
});
