import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { followLog } from '../../scripts/start/log-follower.ts';

let directory: string;
let file: string;

beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), 'log-follower-'));
	file = join(directory, 'gateway.log');
	writeFileSync(file, `${JSON.stringify({ level: 'error', message: 'of an earlier start' })}\n`);
});

afterEach(() => rmSync(directory, { recursive: true }));

function reportedOf(...lines: string[]): string[] {
	const reported: string[] = [];
	const follower = followLog(file, ({ line }) => reported.push(line));
	appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
	follower.read();
	follower.close();
	return reported;
}

// A follower that continued at its position reported nothing until the file had that length again.
test('an error after the file was truncated is reported', () => {
	const reported: string[] = [];
	const follower = followLog(file, ({ line }) => reported.push(line));
	appendFileSync(file, 'half a li');
	follower.read();
	truncateSync(file);
	appendFileSync(file, '{ "level": "error", "message": "lost" }\n');
	follower.read();
	follower.close();
	expect(reported).toEqual(['error: lost']);
});

test.each<[object, string[]]>([
	[{ level: 'info', message: 'request' }, []],
	[
		{ level: 'info', message: 'registry responds again', upstream: 'auth-service' },
		['info: registry responds again: upstream auth-service'],
	],
	[{ level: 'info', message: 'against', context: 'a' }, []],
	[
		{ level: 'warn', message: 'access log lines dropped', count: 7 },
		['warn: access log lines dropped: count 7'],
	],
	[
		{
			level: 'warn',
			message: 'circuit breaker',
			upstream: 'auth-service',
			from: 'CLOSED',
			to: 'OPEN',
			cause: {},
		},
		['warn: circuit breaker: upstream auth-service, from CLOSED, to OPEN'],
	],
	[
		{
			level: 'warn',
			message: 'circuit breaker of a peer',
			peer: 'members-service',
			from: 'CLOSED',
			to: 'OPEN',
		},
		['warn: circuit breaker of a peer: peer members-service, from CLOSED, to OPEN'],
	],
	[
		{
			level: 'warn',
			message: 'Service unavailable.',
			context: 'members',
			cause: 'upstream failure: noInstances',
		},
		['warn: Service unavailable: context members (upstream failure: noInstances)'],
	],
	[
		{ level: 'error', message: 'a step failed', error: { message: 'refused\nat once' } },
		['error: a step failed (refused)'],
	],
])('%j is reported as %j', (entry, lines) => {
	expect(reportedOf(JSON.stringify(entry))).toEqual(lines);
});

test('lines that are not log entries are kept for the exit message', () => {
	const follower = followLog(file, () => undefined);
	appendFileSync(file, 'node: bad option: --nonsense\n');
	follower.read();
	expect(follower.plainLines()).toEqual(['node: bad option: --nonsense']);
	follower.close();
});

test('an entry is reported once its line is complete, and none after the end', () => {
	const lines: string[] = [];
	const follower = followLog(file, ({ line }) => lines.push(line));
	appendFileSync(file, '{"level":"info","message":"listening"}\n{"level":"warn","message":"lo');
	follower.read();
	expect(lines).toEqual([]);
	appendFileSync(file, 'st","error":{"message":"reset\\nby peer","stack":"at x"}}\n');
	follower.read();
	expect(lines).toEqual(['warn: lost (reset)']);
	follower.close();
	appendFileSync(file, '{"level":"error","message":"too late"}\n');
	follower.read();
	expect(lines).toHaveLength(1);
});
