import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeOnTmpfs, eventually, mountTmpfs, type Tmpfs } from '@paddock/testing';

const source = (name: string) => JSON.stringify(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)));
// On each message, writes this many lines with both writers of a process, and some to stderr; then sends what is lost.
const talker = `
	import { droppedLines } from ${source('dropped-lines')};
	import { createLogger } from ${source('logger')};
	import { stdoutLines } from ${source('stdout-lines')};
	const logger = createLogger({ service: 'talker', level: 'info' });
	const access = stdoutLines({ logger, waitMs: 1 });
	process.on('message', async (count) => {
		for (let line = 0; line < count; line += 1) {
			logger.info('logged', { text: 'x'.repeat(100) });
			access.write(JSON.stringify({ message: 'accessed', text: 'y'.repeat(100) }));
			process.stderr.write('to stderr\\n');
		}
		await access.flush();
		process.send(Object.fromEntries(droppedLines.byCause()));
	});
	process.send({});`;

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

type Lost = Readonly<Record<string, number>>;

/** Starts the talker in a shell with these redirections. @returns a function that lets it write, and resolves with the lost lines */
async function start(redirections: string, limits = ''): Promise<(count: number) => Promise<Lost>> {
	const command = `${limits} exec "$0" --input-type=module-typescript --eval "$1" ${redirections}`;
	const started = spawn('/bin/sh', ['-c', command, process.execPath, talker], {
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
	});
	child = started;
	const exited = once(started, 'exit').then(([code, signal]) => {
		throw new Error(`the process has ended: ${code ?? signal}`);
	});
	exited.catch(() => {});
	const reply = async (): Promise<Lost> => {
		const [lost] = await Promise.race([once(started, 'message'), exited]);
		return lost as Lost;
	};
	await reply();
	return (count) => {
		const replied = reply();
		started.send(count);
		return replied;
	};
}

interface Line {
	readonly message: string;
	readonly linesDropped?: number;
}

/** The complete lines of a log, and the number of torn ones. */
function linesOf(text: string): { entries: Line[]; torn: number } {
	const lines = text.split('\n').filter((line) => line !== '');
	const entries = lines.flatMap((line): Line[] => {
		try {
			return [JSON.parse(line) as Line];
		} catch {
			return [];
		}
	});
	return { entries, torn: lines.length - entries.length };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const reported = (entries: readonly Line[]) => sum(entries.map(({ linesDropped = 0 }) => linesDropped));

let directory: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), 'line-output-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

// Each ended the process with its first line.
test.each([
	['stdout and stderr are full', '>/dev/full 2>/dev/full', 'ENOSPC'],
	['stdout and stderr are closed', '>&- 2>&-', undefined],
	['stdout and stderr are read-only', '>/dev/null 1</dev/null 2</dev/null', 'EBADF'],
])('a process whose %s continues, and counts the lost lines', async (_what, redirections, cause) => {
	const write = await start(redirections);
	const lost = { ...(await write(10)) };
	expect(lost[cause ?? 'none']).toBe(cause === undefined ? undefined : 20);
	expect(sum(Object.values(await write(10)))).toBe(cause === undefined ? 0 : 40);
});

test('a pipe without a reader loses lines, and is written again when it has one', async () => {
	const pipe = join(directory, 'pipe');
	execFileSync('mkfifo', [pipe]);
	// Opening a pipe waits for its other end.
	const first = spawn('cat', [pipe], { stdio: 'ignore' });
	const write = await start(`>${pipe} 2>&1`);
	await write(1);
	first.kill('SIGKILL');
	await once(first, 'exit');
	const lost = await write(10);
	expect(lost['EPIPE']).toBe(20);
	const second = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
	let text = '';
	second.stdout.on('data', (chunk) => {
		text += String(chunk);
	});
	// The reader may not have opened the pipe yet.
	await eventually('lines arrive', async () => {
		await write(1);
		return text !== '';
	});
	const { EPIPE } = await write(1);
	await eventually('all later lines arrive', () => reported(linesOf(text).entries) === EPIPE);
	second.kill('SIGKILL');
});

// The limit of a file's size is the full disk that any user can have.
test('a process at its limit of file sizes continues, and no line continues another', async () => {
	const file = join(directory, 'log');
	writeFileSync(file, '');
	// In blocks of 512 bytes.
	const write = await start(`>>${file} 2>/dev/null`, 'ulimit -f 20;');
	const lost = await write(200);
	expect(lost['EFBIG']).toBeGreaterThan(100);
	const { entries, torn } = linesOf(readFileSync(file, 'utf8'));
	expect(entries.length + sum(Object.values(lost))).toBe(400);
	expect(torn).toBeLessThanOrEqual(1);
	truncateSync(file);
	expect(await write(10)).toEqual(lost);
	const later = linesOf(readFileSync(file, 'utf8'));
	expect(later.torn).toBe(0);
	// A line says how many were lost.
	expect(later.entries.length).toBeGreaterThanOrEqual(20);
	expect(reported(later.entries)).toBe(sum(Object.values(lost)));
});

describeOnTmpfs('a full disk', () => {
	let disk: Tmpfs;
	beforeEach(() => {
		disk = mountTmpfs('1m');
	});
	afterEach(() => disk.remove());

	test('loses lines, counted by cause, until there is space', async () => {
		const [log, other] = [join(disk.path, 'log'), join(disk.path, 'other')];
		writeFileSync(other, Buffer.alloc(900_000));
		const write = await start(`>>${log} 2>&1`);
		const lost = await write(2_000);
		expect(lost['ENOSPC']).toBeGreaterThan(1_000);
		rmSync(other);
		expect(await write(10)).toEqual(lost);
		const { entries, torn } = linesOf(readFileSync(log, 'utf8').replaceAll('to stderr\n', ''));
		expect(torn).toBeLessThanOrEqual(1);
		expect(reported(entries)).toBe(sum(Object.values(lost)));
	});
});
