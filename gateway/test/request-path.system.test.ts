import { once } from 'node:events';
import { Agent } from 'node:http';
import { expect, test } from '@jest/globals';
import { createTestIdentity } from '@paddock/testing';
import { startGatewayProcess } from './gateway-process.ts';
import { sendRequest } from './send-request.ts';
import { standInAuth } from './stand-in-auth.ts';
import { testBench } from './test-bench.ts';

const bench = testBench();
// To understand a forwarded request, one reads these.
const filesMax = 34;
const roundsMax = 60;

interface Script {
	readonly url: string;
	readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
}

test(`a GET with a known token runs through at most ${filesMax} files of gateway and libraries`, async () => {
	const identity = await createTestIdentity();
	const auth = await standInAuth(identity.jwks);
	bench.closing(() => auth.close());
	const upstream = await bench.upstream();
	const gateway = await startGatewayProcess({
		NODE_OPTIONS: '--inspect=127.0.0.1:0',
		CONTEXTS: 'auth,horses',
		SERVICE_INSTANCES: `auth-service=${auth.url},horses-service=${upstream.url}`,
	});
	bench.closing(async () => void (await gateway.stop()));
	const agent = new Agent({ keepAlive: true });
	bench.closing(() => agent.destroy());
	const token = identity.sign();
	const send = async () => {
		const { status } = await sendRequest(gateway.port ?? 0, { token, agent, path: '/api/horses/1' });
		expect(status).toBe(200);
	};
	await send();
	const takeFiles = await observeFiles(gateway.stderr());
	await send();
	await takeFiles();
	// Timers of other parts run in some of the rounds, on a busy machine in most.
	let ofRequest: readonly string[] = [];
	for (let round = 0; round < roundsMax && (round < 10 || ofRequest.length > filesMax); round += 1) {
		await send();
		const files = await takeFiles();
		ofRequest = round === 0 ? files : ofRequest.filter((file) => files.includes(file));
	}
	expect(ofRequest).toContain('gateway/src/proxy/proxy.ts');
	expect(ofRequest.toSorted().slice(filesMax)).toEqual([]);
}, 60_000);

/** @returns a function that returns the files of which a function has run since the last call */
async function observeFiles(stderr: string): Promise<() => Promise<string[]>> {
	const socket = new WebSocket(/ws:\S+/.exec(stderr)?.[0] ?? '');
	bench.closing(() => socket.close());
	await once(socket, 'open');
	const call = async (method: string, params = {}) => {
		socket.send(JSON.stringify({ id: 1, method, params }));
		const [{ data }] = (await once(socket, 'message')) as [{ readonly data: string }];
		return JSON.parse(data).result;
	};
	await call('Profiler.enable');
	await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	return async () => {
		const { result }: { result: readonly Script[] } = await call('Profiler.takePreciseCoverage');
		return result
			.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
			.flatMap(({ url }) => /(?:gateway\/src|libs)\/(?!.*node_modules\/).*$/.exec(url)?.[0] ?? []);
	};
}
