import {
	closeSync,
	openSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeOnTmpfs, eventually, mountTmpfs, type Tmpfs } from '@paddock/testing';
import { rotateLog } from '../../scripts/start/log-files.ts';
import { followLog } from '../../scripts/start/log-follower.ts';
import type { StartAttempt } from './started-system.ts';
import { onlyPing, useStarts } from './use-starts.ts';

const { PATH = '' } = process.env;
const starts = useStarts(PATH);
const { start, health } = starts;
const ping = async (): Promise<number> =>
	(await fetch(`http://127.0.0.1:${starts.port()}/api/ping`).catch(() => ({ status: 0 }))).status;

/** Kills the service and waits until it serves again, as another process. */
async function killPing(system: StartAttempt): Promise<void> {
	const pidOf = () =>
		system.tree().find((pid) => {
			try {
				return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('paddock ping');
			} catch {
				return false; // It has exited.
			}
		});
	const former = pidOf();
	process.kill(former ?? 0, 'SIGKILL');
	await eventually('another process runs', () => ![former, undefined].includes(pidOf()), 20_000);
	await eventually('it serves', async () => (await ping()) === 200, 20_000);
}

test('npm start on a full terminal starts the system and restarts its processes', async () => {
	const full = openSync('/dev/full', 'w');
	const system = start(onlyPing, { output: full });
	closeSync(full);
	await eventually('the system is healthy', async () => (await health()).status === 'UP', 60_000);
	await killPing(system);
	expect(await system.end('SIGTERM')).toBe(0);
}, 120_000);

test('a log above its limit is moved to .1 while the process runs, and continues', async () => {
	await start(onlyPing).up();
	const log = join(starts.dataDir(), 'logs', 'gateway.log');
	await appendFile(log, `${JSON.stringify({ level: 'info', text: 'x'.repeat(990) })}\n`.repeat(21_000));
	await eventually('the log is small', () => statSync(log).size < 1_000_000);
	expect(statSync(`${log}.1`).size).toBeGreaterThan(20_000_000);
	const before = statSync(log).size;
	expect(await ping()).toBe(200);
	await eventually('the process writes to it', () => statSync(log).size > before);
	// Without a gap of zeros: the process appends.
	expect(readFileSync(log)[0]).toBe('{'.charCodeAt(0));
}, 60_000);

describeOnTmpfs('npm start with its logs on a full disk', () => {
	let disk: Tmpfs;
	beforeEach(() => {
		disk = mountTmpfs('1m');
	});
	afterEach(() => disk.remove());

	test('serves, restarts its processes, even without a log, and writes again when there is space', async () => {
		const logs = join(starts.dataDir(), 'logs');
		await mkdir(starts.dataDir());
		symlinkSync(disk.path, logs);
		const system = start(onlyPing);
		await system.up();
		const filler = join(disk.path, 'filler');
		try {
			writeFileSync(filler, Buffer.alloc(2_000_000));
		} catch {
			// ENOSPC: the disk is full.
		}
		for (let sent = 0; sent < 20; sent += 1) expect(await ping()).toBe(200);
		await killPing(system);

		rmSync(filler);
		const log = join(disk.path, 'gateway.log');
		const before = statSync(log).size;
		expect(await ping()).toBe(200);
		await eventually('the log is written again', () => statSync(log).size > before);

		unlinkSync(logs);
		await killPing(system);
		expect(system.stderr()).toMatch(/ping-service: runs without a log: .*ENOENT/);
	}, 120_000);
});

test('entries between the last read and a rotation are reported', () => {
	const file = join(starts.dataDir(), '..', 'rotated.log');
	const entry = (message: string) => `${JSON.stringify({ level: 'error', message })}\n`;
	writeFileSync(file, entry('before'));
	const lines: string[] = [];
	const follower = followLog(file, ({ line }) => lines.push(line));
	writeFileSync(file, entry('read'), { flag: 'a' });
	follower.read();
	writeFileSync(file, entry('unread'), { flag: 'a' });
	rotateLog(file, 100);
	writeFileSync(file, entry('after'), { flag: 'a' });
	follower.read();
	follower.close();
	expect(lines).toEqual(['error: read', 'error: unread', 'error: after']);
	expect(readFileSync(`${file}.1`, 'utf8')).toBe(entry('before') + entry('read') + entry('unread'));
});

test('of a log far above its limit the end is kept', () => {
	const file = join(starts.dataDir(), '..', 'huge.log');
	writeFileSync(file, 'a'.repeat(100) + 'b'.repeat(100));
	rotateLog(file, 60);
	expect(readFileSync(`${file}.1`, 'utf8')).toBe('b'.repeat(60));
	expect(statSync(file).size).toBe(0);
});
