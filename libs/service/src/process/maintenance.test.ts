import { expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { openMaintenance } from './maintenance.ts';

test('after the close, the tasks that have not begun are left out', async () => {
	const log: string[] = [];
	const running = Promise.withResolvers<void>();
	const maintenance = openMaintenance({
		tasks: {
			failing: async () => {
				log.push('failing');
				throw new Error('failed');
			},
			first: () => {
				log.push('first');
				begun.resolve();
				return running.promise;
			},
			second: async () => log.push('second'),
		},
		intervalMs: 1,
		logger: silentLogger(),
	});
	const begun = Promise.withResolvers<void>();
	maintenance.start();
	await begun.promise;
	const closed = maintenance.close();
	running.resolve();
	await closed;
	expect(log).toEqual(['failing', 'first']);
});
