import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { openChannel } from './channel.ts';

// Calls `join`, as a worker does.
const program = "process.on('message', () => {}); process.send({ t: 'q', i: '1', m: 'join', a: [] });";

test('the response to a worker that has just been killed fails without an error event', async () => {
	const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
	const errors: unknown[] = [];
	child.on('error', (error) => errors.push(error));
	let connected: boolean | undefined;
	openChannel(child, {
		join: () => {
			child.kill('SIGKILL');
			while (!readFileSync(`/proc/${child.pid}/stat`, 'utf8').includes(') Z '));
			connected = child.connected;
		},
	});
	await once(child, 'close');
	expect(connected).toBe(true);
	expect(errors).toEqual([]);
});
