import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { useStarts } from '../start/use-starts.ts';

jest.setTimeout(120_000);

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
const [, walkthrough = ''] = /^## Walkthrough$(.*?)^## /ms.exec(readme) ?? [];
const blocks = Array.from(walkthrough.matchAll(/^```sh$(.*?)^```$/gms), ([, commands = '']) => commands);

/** What the commands of a block print according to its `# →` comments. */
const promised = (commands: string) => Array.from(commands.matchAll(/^# → (.*)$/gm), ([, line = '']) => line);

async function run(commands: string): Promise<{ stdout: string; stderr: string; code: number | null }> {
	const bash = spawn('bash', ['-c', commands], { stdio: ['ignore', 'pipe', 'pipe'] });
	const exited = new Promise<number | null>((resolve) => bash.once('close', resolve));
	const [stdout, stderr, code] = await Promise.all([text(bash.stdout), text(bash.stderr), exited]);
	return { stdout, stderr, code };
}

const { PATH = '' } = process.env;

describeWithPrograms(['bash', 'curl', 'jq', 'lsof'], "README's walkthrough", () => {
	const { start, port } = useStarts(PATH);

	test('prints what it says', async () => {
		await start().up();
		const ofThisSystem = (commands: string) =>
			commands
				.replaceAll('localhost:8080', `127.0.0.1:${port()}`)
				.replaceAll('tcp:8083', `tcp:${port() + 3}`);
		const [journey = '', office = '', outage = ''] = blocks;
		for (const commands of [journey, office]) {
			const { stdout, stderr, code } = await run(ofThisSystem(commands));
			expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
			expect(promised(commands).length).toBeGreaterThan(3);
			expect(stdout.trim().split(/\r?\n/)).toEqual(promised(commands));
		}
		const { stdout } = await run(ofThisSystem(outage));
		// How soon the service is back depends on the machine: the breaker may not have opened by then.
		expect(stdout).toMatch(/^(502 )+(503 )*(200 )*$/);
		expect(stdout.trim().split(' ')).toHaveLength(15);
	});
});
