import { once } from 'node:events';
import { Agent, createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { fetchKeysFrom } from './fetch-keys-from.ts';

const servers: Server[] = [];

afterEach(async () => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
		await once(server, 'close');
	}
});

async function instance(listener: RequestListener): Promise<string> {
	const server = createServer(listener).listen(0, '127.0.0.1');
	servers.push(server);
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('not a TCP server');
	return `http://127.0.0.1:${address.port}`;
}

const response =
	(body: string, status = 200, headers: Record<string, string> = {}): RequestListener =>
	(_req, res) => {
		res.writeHead(status, { 'Content-Type': 'application/jwk-set+json', ...headers }).end(body);
	};

const never = new AbortController().signal;

describe('fetchKeysFrom', () => {
	test('gets the document from its well-known address', async () => {
		const requests: (string | undefined)[] = [];
		const url = await instance((req, res) => {
			requests.push(`${req.method} ${req.url}`);
			response('{"keys":[{"kid":"a"}]}')(req, res);
		});
		await expect(fetchKeysFrom({ instanceUrls: () => [url] })(never)).resolves.toEqual({
			keys: [{ kid: 'a' }],
		});
		expect(requests).toEqual(['GET /.well-known/jwks.json']);
	});

	// A query of a lost database otherwise occupied a connection of auth for longer than any caller waited.
	test('reports when it stops waiting', async () => {
		const deadlines: unknown[] = [];
		const url = await instance((req, res) => {
			deadlines.push(req.headers['x-request-deadline-ms']);
			response('{"keys":[]}')(req, res);
		});
		await fetchKeysFrom({ instanceUrls: () => [url], timeoutMs: 700 })(never);
		expect(deadlines).toEqual(['700']);
	});

	test('calls the next instance if one is unreachable, returns an error or hangs', async () => {
		const away = await instance(response(''));
		servers.at(-1)?.close();
		const broken = await instance(response('{"keys":[]}', 503));
		const hanging = await instance(() => undefined);
		const good = await instance(response('{"keys":[1]}'));
		const instanceUrls = () => [away, broken, hanging, good];
		await expect(fetchKeysFrom({ instanceUrls, timeoutMs: 2_000 })(never)).resolves.toEqual({ keys: [1] });
	});

	// A name was resolved in Node's own way, to whatever address, though those that connect must look at that.
	test('connects to the address that the lookup returns', async () => {
		const { port } = new URL(await instance(response('{"keys":[1]}')));
		const requests: string[] = [];
		const fetchKeys = fetchKeysFrom({
			instanceUrls: () => [`http://auth.example.org:${port}`],
			agent: new Agent({
				lookup: (hostname, _options, callback) => {
					requests.push(hostname);
					callback(null, [{ address: '127.0.0.1', family: 4 }]);
				},
			}),
		});
		await expect(fetchKeys(never)).resolves.toEqual({ keys: [1] });
		expect(requests).toEqual(['auth.example.org']);
	});

	test('begins with another instance each time', async () => {
		const first = await instance(response('{"keys":[1]}'));
		const second = await instance(response('{"keys":[2]}'));
		const fetchKeys = fetchKeysFrom({ instanceUrls: () => [first, second] });
		const responses = [await fetchKeys(never), await fetchKeys(never), await fetchKeys(never)];
		expect(responses).toEqual([{ keys: [1] }, { keys: [2] }, { keys: [1] }]);
	});

	test('calls the instances known at that moment', async () => {
		let urls: string[] = [];
		const fetchKeys = fetchKeysFrom({ instanceUrls: () => urls });
		await expect(fetchKeys(never)).rejects.toThrow('No instance is known');
		urls = [await instance(response('{"keys":[1]}'))];
		await expect(fetchKeys(never)).resolves.toEqual({ keys: [1] });
	});

	test('follows no redirection', async () => {
		const target = await instance(response('{"keys":[1]}'));
		const url = await instance(response('', 302, { Location: `${target}/.well-known/jwks.json` }));
		await expect(fetchKeysFrom({ instanceUrls: () => [url] })(never)).rejects.toThrow(AggregateError);
	});

	test.each([
		['more than 64 KB', JSON.stringify({ keys: ['x'.repeat(66_000)] })],
		['text that is not JSON', '<html>'],
	])('refuses %s', async (_name, body) => {
		const url = await instance(response(body));
		await expect(fetchKeysFrom({ instanceUrls: () => [url] })(never)).rejects.toThrow(AggregateError);
	});

	test('aborts a body that arrives too slowly', async () => {
		const url = await instance((_req, res) => {
			res.writeHead(200, { 'Content-Type': 'application/json' });
			const timer = setInterval(() => res.write(' '), 20);
			res.on('close', () => clearInterval(timer));
		});
		const fetchKeys = fetchKeysFrom({ instanceUrls: () => [url], timeoutMs: 200 });
		await expect(fetchKeys(never)).rejects.toThrow(AggregateError);
	});

	test('ends with its signal, without calling another instance', async () => {
		const requests: string[] = [];
		const controller = new AbortController();
		const hanging = await instance(() => controller.abort(new Error('closed')));
		const other = await instance((req, res) => {
			requests.push('other');
			response('{"keys":[1]}')(req, res);
		});
		const fetchKeys = fetchKeysFrom({ instanceUrls: () => [hanging, other], timeoutMs: 10_000 });
		await expect(fetchKeys(controller.signal)).rejects.toThrow('closed');
		expect(requests).toEqual([]);
	});
});
