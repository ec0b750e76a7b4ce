import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import {
	clientOf,
	fail,
	neverRespond,
	type Respond,
	type ScriptedGateway,
	scriptedGateway,
	testRuntime,
} from './scripted-gateway.ts';

let gateway: ScriptedGateway;

beforeAll(async () => {
	gateway = await scriptedGateway();
});

afterAll(() => gateway.close());

const begin = (res: Parameters<Respond>[0]) => res.writeHead(200, { 'Content-Type': 'text/event-stream' });
const event = (status: string) => `event: health\ndata: ${JSON.stringify({ health: { status } })}\n\n`;

/** Pauses take no time, except those in which a stream must not be silent: `silent` ends them. */
function streamRuntime() {
	const runtime = testRuntime();
	const silent: (() => void)[] = [];
	return {
		...runtime,
		silent: () => silent.at(-1)?.(),
		pause: (ms: number, signal: AbortSignal) =>
			ms === 15_000 ? new Promise<void>((resolve) => silent.push(resolve)) : runtime.pause(ms, signal),
	};
}

async function statuses(count: number, options: Parameters<typeof clientOf>[1] = {}): Promise<string[]> {
	const seen: string[] = [];
	for await (const { health } of clientOf(gateway, { runtime: streamRuntime(), ...options }).health()) {
		seen.push(health.status);
		if (seen.length === count) break;
	}
	return seen;
}

test('events arrive one by one, whatever the chunks; leaving the loop closes the connection', async () => {
	let closed = false;
	gateway.script((res) => {
		res.once('close', () => {
			closed = true;
		});
		const text = `retry: 1000\n\n:\n\n${event('UP')}${event('DOWN').replaceAll('\n', '\r\n')}`;
		begin(res).write(text.slice(0, 40), () => res.write(text.slice(40)));
	});
	expect(await statuses(2)).toEqual(['UP', 'DOWN']);
	await eventually('the connection is closed', () => closed);
	expect(gateway.requests).toHaveLength(1);
});

test('connects again when the stream ends, breaks off, or is refused for a while', async () => {
	const runtime = streamRuntime();
	gateway.script(
		(res) => begin(res).end(`${event('UP')}event: bye\ndata: {}\n\n`),
		(res) => begin(res).write(event('DOWN'), () => res.destroy()),
		fail(503, 'OVERLOADED', { 'Retry-After': '4' }),
		(res) => begin(res).end(event('UP')),
	);
	expect(await statuses(3, { runtime })).toEqual(['UP', 'DOWN', 'UP']);
	expect(runtime.pauses).toEqual([150, 150, 4_500]);
});

test('connects again when the stream is silent', async () => {
	const runtime = streamRuntime();
	gateway.script(
		(res) => begin(res).write(event('UP')),
		(res) => begin(res).end(event('DOWN')),
	);
	const stream = clientOf(gateway, { runtime }).health();
	expect((await stream.next()).value).toMatchObject({ health: { status: 'UP' } });
	const next = stream.next();
	runtime.silent();
	expect((await next).value).toMatchObject({ health: { status: 'DOWN' } });
	await stream.return(undefined as never);
});

test('connects again when the response does not begin', async () => {
	const runtime = streamRuntime();
	gateway.script(neverRespond, (res) => begin(res).end(event('UP')));
	const first = clientOf(gateway, { runtime }).health().next();
	await eventually('the request has arrived', () => gateway.requests.length === 1);
	runtime.silent();
	expect((await first).value).toMatchObject({ health: { status: 'UP' } });
	expect(runtime.pauses).toEqual([300]);
});

test('a permanent refusal and an abort end the loop with their error', async () => {
	gateway.script(fail(404, 'ROUTE_NOT_FOUND'));
	await expect(statuses(1)).rejects.toMatchObject({ code: 'ROUTE_NOT_FOUND' });
	const leaving = new AbortController();
	gateway.script((res) => begin(res).write(event('UP')));
	const stream = clientOf(gateway, { runtime: streamRuntime() }).health({ signal: leaving.signal });
	await stream.next();
	leaving.abort(new Error('left the page'));
	await expect(stream.next()).rejects.toThrow('left the page');
});
