import type { IncomingMessage, ServerResponse } from 'node:http';
import { recordingUpstream, type TestUpstream } from '@paddock/testing';
import { type Client, type ClientOptions, createClient, type Runtime } from '../src/index.ts';

/** An HTTP server that responds as the test says. */
export interface ScriptedGateway extends TestUpstream {
	/** The next requests get these responses, one each; the last one repeats. */
	script(...responses: readonly Respond[]): void;
	/** The requests to this path. */
	to(path: string): TestUpstream['requests'];
}

export type Respond = (res: ServerResponse, req: IncomingMessage) => void;

export async function scriptedGateway(): Promise<ScriptedGateway> {
	let script: readonly Respond[] = [];
	let next = 0;
	const upstream = await recordingUpstream((req, res) => {
		const respond = script[Math.min(next, script.length - 1)];
		next += 1;
		respond?.(res, req);
	});
	return {
		...upstream,
		script: (...responses) => {
			script = responses;
			next = 0;
			upstream.requests.length = 0;
		},
		to: (path) => upstream.requests.filter(({ url }) => url.split('?')[0] === path),
	};
}

const timestamp = '2026-05-01T10:00:00.000Z';

export function succeed(data: unknown, status = 200): Respond {
	return (res) => send(res, status, { success: true, data, message: 'done', timestamp });
}

export function fail(
	status: number,
	code: string,
	headers: Record<string, string> = {},
	more: object = {},
): Respond {
	const data = { code, status, requestId: 'request-1', ...more };
	return (res) => send(res, status, { success: false, data, message: `failed: ${code}`, timestamp }, headers);
}

/** Closes the connection in the middle of the body. */
export const cutOff: Respond = (res) => {
	res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
	res.write('{"success":', () => res.destroy());
};

export const neverRespond: Respond = () => undefined;

function send(res: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
	res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Time passes only in pauses, which it lists in milliseconds; random numbers are 0.5. */
export interface TestRuntime extends Runtime {
	readonly pauses: number[];
	advance(ms: number): void;
}

export function testRuntime(): TestRuntime {
	let now = Date.parse(timestamp);
	const pauses: number[] = [];
	return {
		pauses,
		now: () => now,
		random: () => 0.5,
		advance: (ms) => {
			now += ms;
		},
		pause: async (ms, signal) => {
			signal.throwIfAborted();
			pauses.push(ms);
			now += ms;
		},
	};
}

export function clientOf(gateway: TestUpstream, options: Partial<ClientOptions> = {}): Client {
	return createClient({ baseUrl: gateway.url, runtime: testRuntime(), ...options });
}
