import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { beginExchange } from '../../test/begin-exchange.ts';
import { type ErrorResponder, requestListener, type Step } from './pipeline.ts';

const closers: (() => void)[] = [];
afterEach(() => {
	for (const close of closers.splice(0)) close();
});

const respondError: ErrorResponder = (error, _exchange, _req, res) => {
	res.writeHead(500).end(String(error));
};

/** Sends one request through the steps. */
async function through(...steps: Step[]): Promise<string> {
	const server = createServer(requestListener(beginExchange, steps, respondError)).listen(0, '127.0.0.1');
	closers.push(() => {
		server.closeAllConnections();
		server.close();
	});
	await once(server, 'listening');
	const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
	return `${response.status} ${await response.text()}`;
}

/** Notes its name in the response's body. */
const said: string[] = [];
const say = (name: string): Step => {
	return () => {
		said.push(name);
		return undefined;
	};
};
const sayLater = (name: string): Step => {
	return async () => {
		await Promise.resolve();
		said.push(name);
		return undefined;
	};
};
const response: Step = (_exchange, _req, res) => {
	res.end(said.splice(0).join(' '));
	return 'handled';
};
const never: Step = () => {
	throw new Error('This step must not be reached.');
};

test('steps run in their order, those that wait for something included', async () => {
	expect(await through(say('a'), sayLater('b'), say('c'), sayLater('d'), say('e'), response)).toBe(
		'200 a b c d e',
	);
});

test('nothing runs after the step that takes the request', async () => {
	expect(await through(say('a'), response, never)).toBe('200 a');
	expect(await through(sayLater('a'), async (...request) => response(...request), never)).toBe('200 a');
});

test('what a step throws is the response, and ends the way', async () => {
	const thrown: Step = () => {
		throw new Error('at once');
	};
	const rejected: Step = async () => {
		throw new Error('later');
	};
	expect(await through(thrown, never)).toBe('500 Error: at once');
	expect(await through(sayLater('a'), rejected, never)).toBe('500 Error: later');
	expect(await through(sayLater('a'), thrown, never)).toBe('500 Error: at once');
	said.length = 0;
});
