import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ApiError } from '@paddock/contract';
import express from 'express';
import { beginExchange } from '../../test/begin-exchange.ts';
import { collectingLogger } from '../../test/collecting-logger.ts';
import { pageStep } from '../pages/gateway-pages.ts';
import { errorResponder } from './error-responder.ts';
import { requestListener, type Step } from './pipeline.ts';

const closers: (() => void)[] = [];
let logged: string[];
beforeEach(() => {
	logged = [];
});
afterEach(() => {
	for (const close of closers.splice(0)) close();
});

/** The failure writer with the real pipeline around it, and a log that is collected. */
async function serve(step: Step): Promise<string> {
	const logger = collectingLogger('error', (line) => logged.push(JSON.parse(line).message));
	const respondError = errorResponder({ logger, now: () => new Date() });
	const steps = [step, pageStep(express(), logger)];
	const server = createServer(requestListener(beginExchange, steps, respondError)).listen(0, '127.0.0.1');
	closers.push(() => {
		server.closeAllConnections();
		server.close();
	});
	await once(server, 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

// Node refuses a line break in a header with an exception.
const unwritable = () =>
	new ApiError('CONFLICT', { status: 409, message: 'Conflict.' }, { headers: { 'X-Part': 'a\r\nb' } });

const whereItFails: [string, Step][] = [
	[
		'a step throws it',
		() => {
			throw unwritable();
		},
	],
	[
		'a step rejects with it',
		async () => {
			throw unwritable();
		},
	],
	['the last step gets it from Express', brokenWriter],
];

// Here the response itself refuses to be written.
function brokenWriter(_exchange: unknown, _req: unknown, res: ServerResponse): undefined {
	res.setHeader = () => {
		throw new TypeError('broken response');
	};
}

test.each(whereItFails)(
	'a failure that cannot be written closes its connection and is logged: %s',
	async (_where, step) => {
		const broken: Step = (exchange, req, res) =>
			req.url === '/broken' ? step(exchange, req, res) : undefined;
		const url = await serve(broken);
		await expect(fetch(`${url}broken`)).rejects.toThrow('fetch failed');
		expect(logged).toContain('failure response not written');
		// The process lives, and so does the next request.
		const next = await fetch(url);
		expect(await next.json()).toMatchObject({ data: { code: 'ROUTE_NOT_FOUND' } });
	},
);
