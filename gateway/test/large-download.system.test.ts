import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { startGatewayProcess } from './gateway-process.ts';
import { sendRequest } from './send-request.ts';
import { testBench } from './test-bench.ts';

const bench = testBench();
const mebibyte = 1024 * 1024;
const size = 300 * mebibyte;

test('a download of 300 MiB arrives complete, in constant memory', async () => {
	const block = Buffer.alloc(mebibyte, 'x');
	const url = await bench.serve(
		createServer((req, res) => {
			if (req.url === '/health') return void res.end('{}');
			res.writeHead(200, { 'Content-Length': size });
			Readable.from(Array.from({ length: size / mebibyte }, () => block)).pipe(res);
		}),
	);
	// A separate process: in this one, client and instance would be measured as well.
	const gateway = await startGatewayProcess({ CONTEXTS: 'ping', SERVICE_INSTANCES: `ping-service=${url}` });
	bench.closing(async () => void (await gateway.stop()));
	const port = gateway.port ?? 0;
	const memoryMiB = async (): Promise<number> => {
		const { body } = await sendRequest(port, { path: '/actuator/prometheus' });
		return Number(/^process_resident_memory_bytes.*? (\d+)/m.exec(body)?.[1]) / mebibyte;
	};
	const before = await memoryMiB();
	let bytes = 0;
	const outgoing = request({ port, host: '127.0.0.1', path: '/api/ping', agent: false }).end();
	const [response] = await once(outgoing, 'response');
	for await (const chunk of response) bytes += chunk.length;
	expect(bytes).toBe(size);
	// Allows for uncollected garbage; a leak would be the whole download.
	expect((await memoryMiB()) - before).toBeLessThan(200);
}, 90_000);
