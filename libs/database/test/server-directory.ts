import { chmod, mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A directory for servers, which their account may enter; removed by `remove`. */
export async function makeServerDirectory(mode = 0o755): Promise<{ path: string; remove(): Promise<void> }> {
	const path = await mkdtemp(join(await realpath(tmpdir()), 'paddock-embedded-'));
	await chmod(path, mode);
	return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** The processes that work in the directory or below it, as every process of a PostgreSQL server does. */
export async function processesIn(directory: string): Promise<number[]> {
	const found: number[] = [];
	for (const entry of await readdir('/proc')) {
		if (!/^\d+$/.test(entry)) continue;
		const cwd = await readlink(`/proc/${entry}/cwd`).catch(() => '');
		if (cwd === directory || cwd.startsWith(`${directory}/`)) found.push(Number(entry));
	}
	return found;
}

/** Resolves when the condition holds; rejects, naming it, when it doesn't within 15 s. */
export async function eventually(what: string, condition: () => Promise<boolean>): Promise<void> {
	for (const deadline = Date.now() + 15_000; Date.now() < deadline; await delay(25)) {
		if (await condition()) return;
	}
	throw new Error(`not within 15 s: ${what}`);
}
