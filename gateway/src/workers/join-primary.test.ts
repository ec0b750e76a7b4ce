import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { openChannel, type PrimaryFunctions, type WorkerFunctions } from './channel.ts';

const module = new URL('join-primary.ts', import.meta.url).href;
const program = `
const { joinPrimary } = await import(${JSON.stringify(module)});
const logger = { level: '', error: console.error };
const { attached } = await joinPrimary({ logger, now: () => new Date() });
process.send({ level: logger.level, attached: attached.entries().map(({ entry, contract }) => [entry, contract.content]) });
setInterval(() => {}, 1_000);`;

// The response to `join` replaced what had changed since it was made, if both arrived together.
test('a change that arrives before the response to join, but is newer, is not overwritten by it', async () => {
	const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
		serialization: 'advanced',
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const unused = { watch: () => {}, unwatch: () => {}, grant: () => [], report: () => {}, leave: () => {} };
	const channel = openChannel<WorkerFunctions, PrimaryFunctions>(child, {
		...unused,
		join: () => {
			const entry = (name: string) => ({ name }) as never;
			void channel.changed.asEvent({ logLevel: 'error', attached: [] }, 5);
			void channel.changed.asEvent(
				{ logLevel: 'debug', attached: [{ entry: entry('new'), contract: { hash: '1' } }] },
				6,
			);
			return {
				...{ change: 5, pages: undefined, overrides: [], logLevel: 'info' },
				attached: [{ entry: entry('old'), contract: { hash: '1', content: 'one' } }],
			};
		},
	});
	try {
		const [result] = await new Promise<unknown[]>((resolve) => {
			child.on('message', (message: object) => 'level' in message && resolve([message]));
		});
		expect(result).toEqual({ level: 'debug', attached: [[{ name: 'new' }, 'one']] });
	} finally {
		child.kill('SIGKILL');
		await once(child, 'close');
	}
});
