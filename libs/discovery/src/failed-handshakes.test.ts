import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createFailedHandshakes } from './failed-handshakes.ts';

test('five lines a minute are logged for each reason, all are counted', () => {
	const logged: unknown[] = [];
	let nowMs = 0;
	const logger = Object.assign(silentLogger(), { warn: (_: string, fields: object) => logged.push(fields) });
	const handshakes = createFailedHandshakes(logger, () => nowMs);
	const fail = (code: string, times: number) => {
		for (let time = 0; time < times; time += 1)
			handshakes.add(Object.assign(new Error(), { code }), new TLSSocket(new Socket()));
	};
	fail('ERR_SSL_HTTP_REQUEST', 7);
	fail('ERR_SSL_UNSUPPORTED_PROTOCOL', 1);
	expect(logged.map((line) => Reflect.get(line as object, 'reason'))).toEqual([
		...Array(5).fill('ERR_SSL_HTTP_REQUEST'),
		'ERR_SSL_UNSUPPORTED_PROTOCOL',
	]);
	nowMs = 60_000;
	fail('ERR_SSL_HTTP_REQUEST', 2);
	expect(logged.slice(6)).toEqual([
		{ reason: 'ERR_SSL_HTTP_REQUEST', omitted: 2 },
		{ reason: 'ERR_SSL_HTTP_REQUEST' },
	]);
	fail('ECONNRESET', 1);
	expect(logged).toHaveLength(8);
	expect(Object.fromEntries(handshakes.counts())).toEqual({
		ERR_SSL_HTTP_REQUEST: 9,
		ERR_SSL_UNSUPPORTED_PROTOCOL: 1,
		ECONNRESET: 1,
	});
});
