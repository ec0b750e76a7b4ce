import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';

const logger = fileURLToPath(new URL('./logger.ts', import.meta.url));
// 40 MB of lines; then, on a signal, one more.
const talker = `
	import { createLogger } from ${JSON.stringify(logger)};
	const logger = createLogger({ service: 'talker', level: 'info' });
	for (let line = 0; line < 40; line += 1)
		for (let part = 0; part < 1_000; part += 1) logger.info('request', { text: 'x'.repeat(1_000) });
	process.send(process.stdout.writableLength);
	process.once('message', () => {
		logger.info('the last');
		process.disconnect();
	});
`;

// winston writes on whatever becomes of it, so a collector of logs that hung filled the memory of every service.
test('unread lines are dropped past a bound, and their number is logged', async () => {
	const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', talker], {
		stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
	});
	try {
		const [waitingBytes] = (await once(child, 'message')) as [number];
		expect(waitingBytes).toBeGreaterThan(1_000_000);
		expect(waitingBytes).toBeLessThan(10_000_000);
		let text = '';
		const closed = once(child, 'close');
		child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
			text += chunk;
		});
		await eventually('stdout is read again', () => text.length >= waitingBytes);
		child.send('go on');
		await closed;
		const lines = text
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line));
		expect(lines.at(-1)).toMatchObject({ message: 'the last', linesDropped: 40_001 - lines.length });
		expect(lines.at(-2)).not.toHaveProperty('linesDropped');
	} finally {
		child.kill('SIGKILL');
	}
});
