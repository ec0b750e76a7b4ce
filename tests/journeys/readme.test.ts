import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import { installClient, readmeProgram } from '../../clients/typescript/test/installed-client.ts';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { useStarts } from '../start/use-starts.ts';

jest.setTimeout(120_000);

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
const [, walkthrough = ''] = /^## Walkthrough$(.*?)^## /ms.exec(readme) ?? [];
const blocks = Array.from(walkthrough.matchAll(/^```sh$(.*?)^```$/gms), ([, commands = '']) => commands);

/** The output of commands or a program by their `# →` or `// →` comments. */
const documentedLines = (code: string) =>
	Array.from(code.matchAll(/^(?:#|\/\/) → (.*)$/gm), ([, line = '']) => line);

interface Output {
	readonly stdout: string;
	readonly stderr: string;
	readonly code: number | null;
}

async function run(program: string, ...args: readonly string[]): Promise<Output> {
	const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
	const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
	const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
	return { stdout, stderr, code };
}

const runCommands = (commands: string) => run('bash', '-c', commands);

/** Runs the walkthrough of the TypeScript client in a project of its own. */
async function runProgram(program: string): Promise<Output> {
	const project = await installClient();
	try {
		return await run(process.execPath, await project.write('walkthrough.ts', program));
	} finally {
		await project.remove();
	}
}

function expectPrinted({ stdout, stderr, code }: Output, walkthrough: string): void {
	expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
	expect(documentedLines(walkthrough).length).toBeGreaterThan(3);
	expect(stdout.trim().split(/\r?\n/)).toEqual(documentedLines(walkthrough));
}

const { PATH = '' } = process.env;

describeWithPrograms(['bash', 'curl', 'jq'], 'the walkthroughs', () => {
	const { start, port, dataDir } = useStarts(PATH);

	test('of README.md and of the client print the documented output', async () => {
		await start().up();
		const ofThisSystem = (commands: string) =>
			commands.replaceAll('localhost:8080', `127.0.0.1:${port()}`).replaceAll('.data/', `${dataDir()}/`);
		const [journey = '', office = '', outage = ''] = blocks;
		for (const commands of [journey, office])
			expectPrinted(await runCommands(ofThisSystem(commands)), commands);
		const program = await readmeProgram();
		expectPrinted(await runProgram(ofThisSystem(program)), program);
		const { stdout } = await runCommands(ofThisSystem(outage));
		// How soon the service is back depends on the machine: the breaker may not have opened by then.
		expect(stdout).toMatch(/^(502 )+(503 )*(200 )*$/);
		expect(stdout.trim().split(' ')).toHaveLength(15);
	});
});
