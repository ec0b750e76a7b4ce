import { expect, test } from '@jest/globals';
import { createMetrics } from './metrics.ts';

test('a request is counted in seconds, by route, method and status', async () => {
	const metrics = createMetrics({ prefix: 'service', service: 'toys' });
	metrics.observeRequest({ route: '/toys/{id}', method: 'GET', status: 200 }, 30);
	metrics.observeRequest({ route: '/toys/{id}', method: 'GET', status: 200 }, 2_000);
	const text = await metrics.registry.metrics();
	const lines = text.split('\n').filter((line) => line.startsWith('service_request_duration_seconds'));
	const labels = 'service="toys",route="/toys/{id}",method="GET",status="200"';
	const value = (line: string) => Number(line.split(' ').at(-1));
	const of = (start: string) =>
		lines.filter((line) => line.startsWith(`service_request_duration_seconds_${start}`));
	expect(of('sum').map(value)).toEqual([2.03]);
	expect(of('count').map(value)).toEqual([2]);
	for (const part of labels.split(',')) expect(of('count').join()).toContain(part);
	expect(
		of('bucket')
			.filter((line) => /le="0\.05"/.test(line))
			.map(value),
	).toEqual([1]);
	expect(
		of('bucket')
			.filter((line) => /le="0\.025"/.test(line))
			.map(value),
	).toEqual([0]);
});

test('two services in one process do not share or disturb each other', async () => {
	const [one, two] = ['a', 'b'].map((service) => createMetrics({ prefix: 'service', service }));
	one?.observeRequest({ route: '/x', method: 'GET', status: 200 }, 1);
	expect(await two?.registry.metrics()).not.toContain('route="/x"');
	expect(await two?.registry.metrics()).toMatch(/nodejs_eventloop_lag_seconds\{service="b"\}/);
});

test('a label cannot forge another line', async () => {
	const metrics = createMetrics({ prefix: 'service', service: 'toys' });
	metrics.observeRequest({ route: 'a"} 1\nforged{b="', method: 'GET', status: 200 }, 1);
	expect((await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('forged'))).toEqual(
		[],
	);
});
